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
  /** The same steps, with equal ones in one group. */
  groups: ChangeGroup[];
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
  /** The deleted resource that this created one was before a rename or a move. */
  renamedFrom?: Step;
  /** The created resource that this deleted one is after a rename or a move. */
  renamedTo?: Step;
  /** Names of the tests that select agents by this label or tag. */
  selectedBy: string[];
}

/** Resources of one type with equal changes, outcomes and findings. */
export interface ChangeGroup {
  /** In the order of their names. A group of one is a resource without equals. */
  readonly members: readonly [JudgedStep, ...JudgedStep[]];
  /** Whether the members have the same values, so that those of the first one describe all. */
  readonly hasEqualValues: boolean;
  /** Checks that found something about each member, in the order of their importance. */
  readonly rules: readonly CheckName[];
  /** Other resources of the type with names between the first and the last member. */
  readonly exceptions: readonly string[];
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
