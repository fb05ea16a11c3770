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

const sections = [
  writeRows,
  accessRows,
  labelsRows,
  tagsRows,
  testsRows,
  memberRows,
  spellingRows,
  selectionRows,
  agentsRows,
  referencesRows,
  resultsRows,
  limitsRows,
  protocolRows,
] as const;

/** Every row there is: those of emulator/DIFFERENCES.md, in its order, and those about limits. */
export const rows: readonly Row[] = sections.flat();
