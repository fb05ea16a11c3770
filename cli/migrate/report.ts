import type { KindName } from "../../provider/registry";
import type { Replacement } from "../drift/report";
import type { Position } from "../engine/state";
import type { Phrase } from "../report/phrase";
import type { AgentsOfTest } from "./agents";
import type { labelSteps } from "../commands/migrate";

export type LabelStep = (typeof labelSteps)[number];

/** A label or test that a step leaves as it is. */
export interface LeftOver {
  readonly kind: KindName;
  /** Absent if the program computes the name. */
  readonly name?: string;
  readonly id?: string;
  readonly position?: Position;
  /** The reason, as text that follows "it". */
  readonly reason: string;
  /** An imperative. */
  readonly advice: string;
  /** Ids of the tests that use a label. */
  readonly usedBy?: readonly string[];
}

/** A test that selects by labels, and the agents that it selects by their tags. */
export interface MigratedTest extends AgentsOfTest {
  readonly kind: KindName;
  readonly name: string;
  readonly id: string;
}

/** A change that a preview of the program shows. */
export interface PendingChange {
  readonly op: string;
  readonly name: string;
  readonly urn: string;
}

/** The result of a run of `migrate labels`. */
export interface MigrationReport {
  readonly stack: string;
  /** `waiting`: changes of the program wait for an update. `blocked`: a person has to act. `done`: nothing is left. */
  readonly state: "written" | "planned" | "waiting" | "blocked" | "done";
  readonly step?: LabelStep;
  /** Paths of the files that were written, or would be. */
  readonly files: readonly string[];
  readonly tags: readonly { name: string; key: string; value: string }[];
  readonly tests: readonly MigratedTest[];
  /** Names of the labels that the step deletes. */
  readonly labels: readonly string[];
  readonly replaced: readonly Replacement[];
  /** Alert rules and streams that name what the next update replaces or deletes. */
  readonly references: readonly Phrase[];
  /** Other changes of the next update: those of resources that refer to the tests. */
  readonly also: readonly PendingChange[];
  readonly pending: readonly PendingChange[];
  readonly left: readonly LeftOver[];
  /** Labels and tags that may be one thing in the service. */
  readonly shared: readonly { label: string; labelId: string; tagId: string; key: string; value: string }[];
  /** Stacks that run the same program. */
  readonly otherStacks: readonly string[];
  /** Labels that the stack manages, and its tests that select by labels. */
  readonly remaining: { readonly labels: number; readonly tests: number };
  /** Next steps of a person, a sentence each. */
  readonly next: readonly string[];
}
