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
  /** Identifier of the scheduled test to run. Changing it runs the newly named test. */
  testId: pulumi.Input<string>;
}

// The engine fills in the outputs.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface TestRun
  extends ArgumentOutputs<Omit<TestRunArgs, keyof AccountGroupProperties>>, Outputs<RunOutputs>, Outputs<CommonOutputs> {}

/**
 * A run of an existing scheduled test.
 *
 * The test runs when the resource is created, and again when `triggers` or `testId` change. With `expect`, a deployment can
 * depend on measurements of users' devices. If they do not meet the limits, the update fails and lists them, and the next
 * update runs the test again. Destroying the resource only removes the run from state, since the service cannot delete it.
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
