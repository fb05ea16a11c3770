import type * as pulumi from "@pulumi/pulumi";
import type { testRun } from "../provider/resources/test-run";
import { classes } from "./generated/classes";
import type { AccountGroupProperties, CommonOutputs } from "./common";
import { checkedClass, Resource, type ResourceClass } from "./resource";
import type { RunOutputs, RunProperties } from "./run-properties";
import type { Agrees } from "./agrees";
import type { ArgumentOutputs, Outputs } from "./types";

/** Arguments of a {@link TestRun}. */
export interface TestRunArgs extends RunProperties, AccountGroupProperties {
  /** Identifier of the scheduled test to run. If `testId` changes, the next update runs the test with the new id. */
  testId: pulumi.Input<string>;
}

// The SDK defines the outputs at run time, so an interface declares the outputs instead of the class.
//
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface TestRun
  extends ArgumentOutputs<Omit<TestRunArgs, keyof AccountGroupProperties>>, Outputs<RunOutputs>, Outputs<CommonOutputs> {}

/**
 * A run of an existing scheduled test.
 *
 * The test runs when the resource is created, and runs again when `triggers` or `testId` changes. With `expect`, a deployment
 * succeeds only if measurements from users' devices meet your limits. If the measurements do not meet the limits in `expect`,
 * the update fails and lists the measurements. After a failed update, the next update runs the test again. A destroy only
 * removes the resource from the state, because the service cannot delete test runs.
 *
 * @example
 * ```ts
 * new TestRun("after-deployment", { testId: portal.id, triggers: [version], expect: { minAvailability: 100 } });
 * ```
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export class TestRun extends Resource<TestRunArgs> {
  /** @internal */
  static override readonly of: ResourceClass = checkedClass<
    Agrees<typeof testRun, typeof classes.TestRun, TestRunArgs, TestRun>
  >(classes.TestRun);
}
