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

/**
 * Application that a dynamic test can monitor. The provider accepts unlisted applications with a warning, because the service
 * may add applications.
 */
export type DynamicTestApplication = OpenWord<"webex" | "zoom" | "microsoft-teams">;

/** Properties of a {@link DynamicTest}, except the selection of agents. */
export interface DynamicTestProperties extends ScheduledTestProperties {
  /** Application to monitor. */
  application: pulumi.Input<DynamicTestApplication>;
  /**
   * Whether agents trace the path inside an established TCP session. If omitted, the service chooses the value. A change
   * replaces the test.
   */
  hasPathTraceInSession?: pulumi.Input<boolean> | undefined;
}

/** Arguments of a {@link DynamicTest}. */
export type DynamicTestArgs = DynamicTestProperties & AgentSelectionArgs;

// The SDK defines the outputs at run time, so an interface declares the outputs instead of the class.
//
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface DynamicTest
  extends
    ArgumentOutputs<Omit<DynamicTestProperties & AgentSelection, keyof RecordProperties>, ScheduledTestDefaults>,
    Outputs<TestOutputs>,
    Outputs<CommonOutputs> {}

/**
 * A dynamic test, which measures the network path from agents to the servers that an application's sessions use.
 *
 * Properties with the note "A change replaces the test" cannot be changed in place. A replacement deletes the test with its
 * existing result history, and creates a new test with another id.
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
