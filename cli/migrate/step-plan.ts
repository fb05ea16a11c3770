import type { Properties } from "../../provider/values";
import type { FileEdit } from "../edit/accepted";
import { positionOf } from "../edit/declarations";
import type { Refusal } from "../edit/value";
import type { Position } from "../engine/state";
import type { LabelStep } from "./options";
import type { LeftOver, MigratedTest, PlannedTag } from "./report";

/** What a step writes, and what the next update may then do. */
export interface StepPlan {
  readonly step: LabelStep;
  readonly edits: readonly FileEdit[];
  readonly left: readonly LeftOver[];
  readonly tags: readonly PlannedTag[];
  readonly tests: readonly MigratedTest[];
  readonly labels: readonly string[];
  /** By URN, what a preview has to show. */
  readonly expected: ReadonlyMap<string, ExpectedChange>;
}

/** What a step announces of a resource. */
export interface ExpectedChange {
  readonly op: "create" | "replace" | "delete";
  /** Why what is declared is not what was announced; nothing where it is. */
  readonly mistake?: (inputs: Properties) => string | undefined;
}

/** Resources that a preview of the edited program showed otherwise than announced, by URN, with how. They are left as they are. */
export type Excluded = ReadonlyMap<string, string>;

export const emptyPlan = { edits: [], left: [], tags: [], tests: [], labels: [], expected: new Map<string, ExpectedChange>() };

export function placeOf({ node }: Refusal): Position {
  const file = node.getSourceFile();
  return positionOf(file.fileName, file, node);
}
