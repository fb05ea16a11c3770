import type * as pulumi from "@pulumi/pulumi";
import type { dynamicTest } from "../provider/resources/dynamic-test";
import { classes } from "./generated/classes";
import type { CommonOutputs, RecordProperties } from "./common";
import { checkedClass, Resource, type ResourceClass } from "./resource";
import type {
  AgentSelection,
  AgentSelectionArgs,
  ScheduledTestDefaults,
  ScheduledTestProperties,
  TestOutputs,
} from "./test-properties";
import type { Agrees } from "./agrees";
import type { ArgumentOutputs, OpenWord, Outputs } from "./types";

/** Application that a dynamic test follows. Other values are accepted with a warning, since the service may support more. */
export type DynamicTestApplication = OpenWord<"webex" | "zoom" | "microsoft-teams">;

/** Properties of a {@link DynamicTest}, except the selection of agents. */
export interface DynamicTestProperties extends ScheduledTestProperties {
  /** Application with the sessions that the test follows. */
  application: pulumi.Input<DynamicTestApplication>;
  /** Whether agents trace the path inside an established TCP session. If omitted, the service chooses. Changing it replaces the test. */
  hasPathTraceInSession?: pulumi.Input<boolean> | undefined;
}

/** Arguments of a {@link DynamicTest}. */
export type DynamicTestArgs = DynamicTestProperties & AgentSelectionArgs;

// The engine fills in the outputs.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface DynamicTest
  extends
    ArgumentOutputs<Omit<DynamicTestProperties & AgentSelection, keyof RecordProperties>, ScheduledTestDefaults>,
    Outputs<TestOutputs>,
    Outputs<CommonOutputs> {}

/**
 * A dynamic test. It follows the sessions of an application to the servers that they reach.
 *
 * Changing a property marked "Changing it replaces" deletes the test and creates a new one. The test gets a new id, and its
 * existing result history is lost.
 *
 * @example
 * ```ts
 * new DynamicTest("meetings", { testName: "Meetings", application: "webex", interval: 300 });
 * ```
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export class DynamicTest extends Resource<DynamicTestArgs> {
  /** @internal */
  static override readonly of: ResourceClass = checkedClass<
    Agrees<typeof dynamicTest, typeof classes.DynamicTest, DynamicTestProperties & AgentSelection, DynamicTest>
  >(classes.DynamicTest);
}
