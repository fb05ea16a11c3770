import type * as pulumi from "@pulumi/pulumi";
import type { dynamicTest } from "../provider/resources/dynamic-test";
import { classes } from "./classes";
import type { CommonOutputs, RecordProperties } from "./common";
import { agreed, Resource, type ResourceClass } from "./resource";
import type {
  AgentSelection,
  AgentSelectionArgs,
  ScheduledTestDefaults,
  ScheduledTestProperties,
  TestOutputs,
} from "./test-properties";
import type { Agrees, Held, Outputs } from "./types";

/** Properties of a {@link DynamicTest} beside the choice of agents. */
export interface DynamicTestProperties extends ScheduledTestProperties {
  /** Application whose sessions are traced. */
  application: pulumi.Input<"webex" | "zoom" | "microsoft-teams">;
  /** Whether agents trace the path inside an established TCP session. Left out, the service chooses. Changing it replaces the test. */
  hasPathTraceInSession?: pulumi.Input<boolean>;
}

/** Arguments of a {@link DynamicTest}. */
export type DynamicTestArgs = DynamicTestProperties & AgentSelectionArgs;

// The engine fills in the outputs.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface DynamicTest
  extends
    Held<Omit<DynamicTestProperties & AgentSelection, keyof RecordProperties>, ScheduledTestDefaults>,
    Outputs<TestOutputs>,
    Outputs<CommonOutputs> {}

/**
 * A dynamic test: a test that follows the sessions of an application to whatever server they reach.
 *
 * Changing a property marked "changing it replaces" deletes the record and creates another:
 * the test gets a new id and the result history of the old one ends.
 *
 * @example
 * ```ts
 * new DynamicTest("meetings", { testName: "Meetings", application: "webex", interval: 300 });
 * ```
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export class DynamicTest extends Resource<DynamicTestArgs> {
  /** @internal */
  static override readonly of: ResourceClass = agreed<
    Agrees<typeof dynamicTest, typeof classes.DynamicTest, DynamicTestProperties & AgentSelection, DynamicTest>
  >(classes.DynamicTest);
}
