/** The rows of damaged input. Each can run separately: see `Row`. */
import type { Row } from "../row";
import { answersRow } from "./answers";
import { argumentsRow } from "./arguments";
import { previewsRow } from "./previews";
import { programsRow } from "./programs";
import { statesRow } from "./states";

export const rows: readonly Row[] = [argumentsRow, answersRow, statesRow, previewsRow, programsRow];
