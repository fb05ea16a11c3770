import type * as pulumi from "@pulumi/pulumi";
import type { testRun } from "../provider/resources/test-run";
import { classes } from "./classes";
import type { AccountGroupProperties, CommonOutputs } from "./common";
import { agreed, Resource, type ResourceClass } from "./resource";
import type { RunOutputs, RunProperties } from "./run-properties";
import type { Agrees, Held, Outputs } from "./types";

/** Arguments of a {@link TestRun}. */
export interface TestRunArgs extends RunProperties, AccountGroupProperties {
  /** Identifier of the scheduled test to run. Another one is run at once. */
  testId: pulumi.Input<string>;
}

// The engine fills in the outputs.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface TestRun
  extends Held<Omit<TestRunArgs, keyof AccountGroupProperties>>, Outputs<RunOutputs>, Outputs<CommonOutputs> {}

/**
 * A run of a scheduled test that exists.
 *
 * The test is run when the resource is created, and again whenever `triggers` or what is tested change. With `expect` a
 * deployment can wait for what users' devices really see: an update that measures otherwise fails with the measurements, and the
 * next one runs the test anew. Destroying the resource forgets the run; the service has no delete for it.
 *
 * @example
 * ```ts
 * new TestRun("after-deployment", { testId: portal.id, triggers: [version], expect: { minAvailability: 100 } });
 * ```
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export class TestRun extends Resource<TestRunArgs> {
  /** @internal */
  static override readonly of: ResourceClass = agreed<Agrees<typeof testRun, typeof classes.TestRun, TestRunArgs, TestRun>>(
    classes.TestRun,
  );
}
