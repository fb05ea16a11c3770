import type { LicensePeak, RoleLabels } from "../operation/account-facts";
import type { Step } from "../operation/operation";
import type { Phrase } from "../report/phrase";
import type { UpdateFailure } from "../engine/update";

export interface Rehearsal {
  readonly stack: string;
  /** The copied parts of the account, and those that could not be read. */
  readonly copy: {
    readonly accountGroups: readonly string[];
    readonly records: number;
    readonly agents: number;
    /** Requests to the service, all of them reads. */
    readonly reads: number;
    /** Lists that the account does not show, as `labels of account group 1001`. */
    readonly refused: readonly string[];
  };
  readonly update: {
    /** How many resources of ours were created, updated and so on, by the engine's word. */
    readonly changes: Readonly<Record<string, number>>;
    readonly failures: readonly UpdateFailure[];
    readonly requests: { readonly total: number; readonly operations: Readonly<Record<string, number>> };
    /** Requests a minute that the account allows; absent where it reports no limit. */
    readonly limit?: number;
    /** Seconds that the update takes, under that limit, where nobody else sends requests. */
    readonly seconds: number;
  };
  /** Tests that other agents run afterwards, or on which agents with full licenses leave out. */
  readonly tests: readonly TestDifference[];
  /** Licenses of the organization: the peak of the current month, as far as the token may read that. */
  readonly licenses: readonly LicensePeak[];
  /** Permissions of the token's roles, by their labels; absent if they are not known. */
  readonly role?: RoleLabels;
  /** Steps of a second update; absent if the first one failed. */
  readonly second?: readonly Pick<Step, "op" | "urn" | "name">[];
  /** The result of destroying the new resources; absent if there are none, or the update failed. */
  readonly destroy?: {
    readonly resources: number;
    readonly deleted: number;
    readonly failures: readonly UpdateFailure[];
  };
  /** Alert rules and streams of the account that name what is deleted or replaced, and what could not be asked. */
  readonly references: readonly Phrase[];
  /** Whether something of it was for another account than the stack's. */
  readonly strayed: boolean;
  /** Resources of other providers, which were left alone. */
  readonly leftOut: number;
  /** How often a test was run: on a copy nothing is measured. */
  readonly measured: number;
}

/** A test of which agents run it before and after. Agents by name. */
export interface TestDifference {
  readonly id: string;
  readonly testName: string;
  readonly accountGroupId: string;
  /** How many agents run it; absent before it is created, and after it is deleted. */
  readonly before?: number;
  readonly after?: number;
  /** How many more run it if it is created before other new tests, which an update creates in any order. Absent where `after` is. */
  readonly undecided?: number;
  readonly started: readonly string[];
  readonly stopped: readonly string[];
  /** Agents that it is assigned to and whose licenses have no room for it: now, and before. */
  readonly withoutRoom: number;
  readonly withoutRoomBefore: number;
}
export function isWell({ update, second = [], destroy }: Rehearsal): boolean {
  return update.failures.length === 0 && second.length === 0 && (destroy?.failures.length ?? 0) === 0;
}
