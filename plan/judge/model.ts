import type { Phrase } from "../../common/phrase";
import type { Finding } from "../../common/finding";
import type { LoadComparison, Worlds } from "../../provider/reach/load";
import type { Step } from "../model";
import type { ServiceView } from "../service";
import type { UnknownValue } from "../unknown";
import type { Names } from "./names";
import type { ResourceData, ResourceOutcome, Review } from "./review";
import type { CheckName, Limits } from "./checks";

/** A reviewed operation: its steps with notes, and its findings. */
export interface Judgement {
  review: Review;
  findings: Finding<CheckName>[];
  /** The steps that change something, as the update will carry them out. */
  changes: JudgedStep[];
  names: Names;
  /** Limits of the review itself, such as a list that could not be read. */
  warnings: Phrase[];
  worlds?: Worlds;
  /** Records and agents of the service that the change concerns. */
  service?: ServiceView;
  /** Whether a part of it is missing because the service could not be read. */
  isBlind: boolean;
}

type Meaning = Pick<ResourceData, "title" | "forgotten" | "replaces" | "cost" | "reach" | "touches" | "references">;
export interface JudgedStep extends Step, Meaning {
  outcome: ResourceOutcome;
  unknown: UnknownValue[];
  /** The deleted resource that this created one looks like a rename of. */
  renamedFrom?: Step;
  /** The created resource that looks like the new name of this deleted one. */
  renamedTo?: Step;
}

/** Facts of the service and settings of the review that findings need. */
export interface Insight {
  worlds: Worlds;
  names: Names;
  /** Absent where some list is missing. */
  load?: LoadComparison;
  limits: Limits;
  /** Reasons why alert rules and streams that name deleted or replaced records are not known. */
  unasked: readonly string[];
}
