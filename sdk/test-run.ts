import type { testRun } from "../provider/resources/test-run";
import { runOutputs } from "./outputs";
import { Resource, type ResourceClass } from "./resource";
import type { Args, OutputNames, Outputs } from "./types";

/** Arguments of a {@link TestRun}. */
export interface TestRunArgs extends Args<typeof testRun> {}

const outputs: OutputNames<typeof testRun> = { ...runOutputs, testId: true };

// The outputs are typed by the schema of the kind; the engine fills them in.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface TestRun extends Outputs<typeof testRun> {}

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
  static override readonly of: ResourceClass = { name: "TestRun", outputs, secrets: [] };
}
