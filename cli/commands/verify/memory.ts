import { isObject } from "../../../provider/values";
import { engineError, jsonOf } from "../../../engine/run";
import type { ProjectStack } from "../../../engine/stack";
import type { ManagedResource } from "../../../engine/state";
import type { Output } from "../../report/output";
import { memoryTag } from "./options";
import type { TestVerdict } from "./test-run";
import { UsageError } from "../../../common/errors";

export type Verdict = Pick<TestVerdict, "resource" | "outcome">;

/** Maximum length of a tag value that every backend supports, in characters. */
const maxTagLength = 256;
/** Value of the stack tag if the list of ids is too long. The value represents all tests in the stack. */
const everyTest = "all";

/** The tests in a stack that did not pass their last verification. A stack tag stores the ids of the tests for the next verification. */
export class Memory {
  private constructor(
    private readonly stack: ProjectStack,
    private readonly value: string,
  ) {}

  /** @throws UsageError if the backend cannot read the tags of the stack */
  static async of(stack: ProjectStack): Promise<Memory> {
    const run = await stack.run(["stack", "tag", "ls", "--json"]);
    const tags = jsonOf(`The tags of stack ${stack.name} cannot be read`, run, isObject);
    const value = tags[memoryTag];
    return new Memory(stack, typeof value === "string" ? value : "");
  }

  readonly has = ({ id }: ManagedResource): boolean => this.value === everyTest || this.value.split(",").includes(id);

  /**
   * Adds tests that did not pass to the stack tag, and removes tests that passed or were deleted. If the backend cannot store the tag, the
   * method prints a warning.
   *
   * @param tests all tests in the stack
   */
  async keep(tests: readonly ManagedResource[], verdicts: readonly Verdict[], out: Output): Promise<void> {
    const outcomes = new Map(verdicts.map(({ resource, outcome }) => [resource.id, outcome]));
    const unverified = tests.filter((test) => {
      const outcome = outcomes.get(test.id);
      return outcome === undefined || outcome === "skipped" ? this.has(test) : outcome !== "passed";
    });
    const ids = [...new Set(unverified.map(({ id }) => id))].toSorted().join(",");
    const value = ids.length <= maxTagLength ? ids : everyTest;
    if (value === this.value) return;
    const run = await this.stack.run(
      value === "" ? ["stack", "tag", "rm", memoryTag] : ["stack", "tag", "set", memoryTag, value],
    );
    if (run.code === 0 && !run.interrupted) return;
    const error = engineError("The tests that did not pass could not be stored", run);
    if (!(error instanceof UsageError)) throw error;
    out.warn(`${error.message}. The next verification may skip a test that did not pass. Verify it with --test or --all.`);
  }
}
