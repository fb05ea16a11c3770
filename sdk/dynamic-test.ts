import type { dynamicTest } from "../provider/resources/dynamic-test";
import { testOutputs } from "./outputs";
import { Resource, type ResourceClass } from "./resource";
import type { Args, OutputNames, Outputs } from "./types";

/** Arguments of a {@link DynamicTest}. */
export interface DynamicTestArgs extends Args<typeof dynamicTest> {}

const outputs: OutputNames<typeof dynamicTest> = { ...testOutputs, application: true, hasPathTraceInSession: true };

// The outputs are typed by the schema of the kind; the engine fills them in.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface DynamicTest extends Outputs<typeof dynamicTest> {}

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
  static override readonly of: ResourceClass = { name: "DynamicTest", outputs, secrets: [] };
}
