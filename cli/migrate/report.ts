import type { KindName } from "../../provider/registry";
import type { Replacement } from "../drift/report";
import type { Position } from "../engine/state";
import type { AgentsOfTest } from "./agents";
import type { Phrase } from "../report/phrase";
import type { LabelStep } from "./options";

/** What became of a run: files were written, would be, something waits for `pulumi up`, a person has to act, or nothing is left. */
export type MigrationState = "written" | "planned" | "waiting" | "blocked" | "done";

/** A label or test that a step leaves as it is. */
export interface LeftOver {
  readonly kind: KindName;
  /** Name in the program; absent where the program does not show it. */
  readonly name?: string;
  readonly id?: string;
  readonly position?: Position;
  /** Why, after "it". */
  readonly reason: string;
  /** What a person does about it. */
  readonly advice: string;
  /** Ids of the tests of the service that use a label. */
  readonly usedBy?: readonly string[];
}

/** Why a step leaves something as it is, and what a person does about it. */
export type Hindrance = Pick<LeftOver, "reason" | "advice" | "usedBy">;

/** The tag of a label. */
export interface PlannedTag {
  readonly name: string;
  readonly key: string;
  readonly value: string;
}

/** A test that selects by labels. */
export interface MigratedTest extends AgentsOfTest {
  readonly kind: KindName;
  readonly name: string;
  readonly id: string;
}

/** A label and a tag that may be one thing underneath. */
export interface SharedRecord {
  readonly label: string;
  readonly labelId: string;
  readonly tagId: string;
  readonly key: string;
  readonly value: string;
}

/** A change of the program that a preview shows. */
export interface PendingChange {
  readonly op: string;
  readonly name: string;
  readonly urn: string;
}

/** What a run of `migrate labels` found and did. */
export interface MigrationReport {
  readonly stack: string;
  readonly state: MigrationState;
  /** The step that was taken; absent where there was none to take. */
  readonly step?: LabelStep;
  /** Paths of the files that were written, or would be. */
  readonly files: readonly string[];
  readonly tags: readonly PlannedTag[];
  readonly tests: readonly MigratedTest[];
  /** Names of the labels that are taken out. */
  readonly labels: readonly string[];
  /** Tests that are replaced, and what that costs. */
  readonly replaced: readonly Replacement[];
  /** Alert rules and streams that name what the next update replaces or deletes, and what could not be asked. */
  readonly references: readonly Phrase[];
  /** What else the next update changes, because it refers to what the step changes. */
  readonly also: readonly PendingChange[];
  /** Changes of the program that wait for an update. */
  readonly pending: readonly PendingChange[];
  readonly left: readonly LeftOver[];
  readonly shared: readonly SharedRecord[];
  /** Stacks that run the same program. */
  readonly otherStacks: readonly string[];
  /** Labels that the stack manages, and tests of it that select by labels, as they are now. */
  readonly remaining: { readonly labels: number; readonly tests: number };
  /** What to do next, a sentence each. */
  readonly next: readonly string[];
}
