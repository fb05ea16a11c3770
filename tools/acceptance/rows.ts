import { accessRows } from "./rows/access";
import { agentsRows } from "./rows/agents";
import { labelsRows } from "./rows/labels";
import { memberRows } from "./rows/members";
import { spellingRows } from "./rows/spelling";
import { writeRows } from "./rows/writes";
import { limitsRows } from "./rows/limits";
import { protocolRows } from "./rows/protocol";
import { referencesRows } from "./rows/references";
import { resultsRows } from "./rows/results";
import { selectionRows } from "./rows/selection";
import { tagsRows } from "./rows/tags";
import { testsRows } from "./rows/tests";
import type { Row } from "./row";

/** The checks of each module with the page of docs/service/ that contains the facts about them. */
const sections: readonly (readonly [rows: readonly Row[], page: string])[] = [
  [writeRows, "requests"],
  [accessRows, "requests"],
  [labelsRows, "labels"],
  [tagsRows, "tags"],
  [testsRows, "tests"],
  [memberRows, "tests"],
  [spellingRows, "tests"],
  [selectionRows, "tests"],
  [agentsRows, "agents"],
  [referencesRows, "alerts"],
  [resultsRows, "requests"],
  [limitsRows, "tests"],
  [protocolRows, "requests"],
];

/** All checks. Checks of the assumptions in emulator/DIFFERENCES.md come first, in the order of that page. */
export const rows: readonly Row[] = sections.flatMap(([rowsOfModule]) => rowsOfModule);

const pages = new Map(sections.flatMap(([rowsOfModule, page]) => rowsOfModule.map(({ id }) => [id, page])));

/** Returns the page of docs/service/ with the facts about a check, without the `.md` ending. */
export const factsOf = ({ id }: Row): string => pages.get(id) ?? "README";
