import type { Phrase } from "../../common/phrase";
import type { Finding } from "../../common/finding";
import type { LoadComparison, Worlds } from "../../provider/reach/load";
import type { PropertyChange } from "../changes";
import type { Step } from "../model";
import type { ServiceView } from "../service";
import type { UnknownValue } from "../unknown";
import type { Names } from "./names";
import type { ResourceData, ResourceOutcome, Review } from "./review";
import type { CheckName, Limits } from "./checks";

/** A reviewed operation, with the effects of each step and with all findings. */
export interface Judgement {
  review: Review;
  findings: Finding<CheckName>[];
  /** All steps except steps that change nothing. The changes include the effects of adoptions. */
  changes: JudgedStep[];
  groups: ChangeGroup[];
  names: Names;
  warnings: Phrase[];
  worlds?: Worlds;
  service?: ServiceView;
  /** Whether the review is incomplete because the service could not be read. */
  isBlind: boolean;
}

type Meaning = Pick<ResourceData, "title" | "forgotten" | "replaces" | "cost" | "reach" | "touches" | "references">;
export interface JudgedStep extends Step, Meaning {
  outcome: ResourceOutcome;
  unknown: UnknownValue[];
  renamedFrom?: Step;
  renamedTo?: Step;
  /** Manual changes to the record. The update resets these changes. */
  resets: PropertyChange[];
  /** Names of the tests that select agents by the label or tag. */
  selectedBy: string[];
}

/** Resources of one type with equal changes, outcomes and findings. */
export interface ChangeGroup {
  /** The steps of the group, sorted by name. */
  readonly members: readonly [JudgedStep, ...JudgedStep[]];
  readonly hasEqualValues: boolean;
  readonly rules: readonly CheckName[];
  /** Names of other resources between the first and the last member in alphabetical order. */
  readonly exceptions: readonly string[];
  readonly formerExceptions: readonly string[];
}

export interface Insight {
  worlds: Worlds;
  names: Names;
  /** The load of the agents before and after the update, if the service returned all lists. */
  load?: LoadComparison;
  limits: Limits;
  /** Sentences with the reasons why some references to deleted or replaced records are unknown. */
  unasked: readonly string[];
}
