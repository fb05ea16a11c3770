import { type Block, heading, list, type Report, section, table, text } from "../../report/document";
import { errorText, fewNames, ours, type Phrase, phrase, strong, word } from "../../../common/phrase";
import type { UpdateFailure } from "../../../engine/update";
import { type LicensePeak, noEditText, peaksText, type RoleLabels } from "../../../plan/account-facts";
import type { Step } from "../../../plan/model";
import { lostTitle } from "../../../plan/references";
import { capitalized, count, counted, few } from "../../../common/text";

const maxNames = 5;

export interface Rehearsal {
  readonly stack: string;
  readonly copy: {
    readonly accountGroups: readonly string[];
    readonly records: number;
    readonly agents: number;
    /** Number of read requests that the rehearsal sent to the service. */
    readonly reads: number;
    /** The lists that the token is not permitted to read, such as `labels of account group 1001`. */
    readonly refused: readonly string[];
  };
  readonly update: {
    /** Number of this package's resources for each operation of the engine. */
    readonly changes: Readonly<Record<string, number>>;
    readonly failures: readonly UpdateFailure[];
    readonly requests: { readonly total: number; readonly operations: Readonly<Record<string, number>> };
    /** Rate limit of the account in requests per minute, if the service reports a limit. */
    readonly limit?: number;
    /**
     * Estimated duration of the update in seconds. The estimate includes the rate limit and assumes that no other client sends requests.
     */
    readonly seconds: number;
  };
  readonly tests: readonly TestDifference[];
  /** Licenses of the organization, if the token may read licenses. */
  readonly licenses: readonly LicensePeak[];
  readonly role?: RoleLabels;
  /** Steps of a second update, unless the first update failed. */
  readonly second?: readonly Pick<Step, "op" | "urn" | "name">[];
  /** Result of an attempt to destroy the new resources, if the update succeeded and created resources. */
  readonly destroy?: {
    readonly resources: number;
    readonly deleted: number;
    readonly failures: readonly UpdateFailure[];
  };
  /** Descriptions of alert rules and streams that lose a referenced record, and of lists that could not be read. */
  readonly references: readonly Phrase[];
  /** Whether the update used an account that was not copied. */
  readonly strayed: boolean;
  /** Number of other providers' resources. The rehearsal does not include these resources. */
  readonly leftOut: number;
  /** Number of test runs. On a copy of the account, test runs return no measurements. */
  readonly measured: number;
}

export interface TestDifference {
  readonly id: string;
  readonly testName: string;
  readonly accountGroupId: string;
  /** Number of agents before the update, if the test already exists. */
  readonly before?: number;
  readonly after?: number;
  /**
   * Number of agents that run the test only if it is created before other new tests. The order of creation is not known before the update.
   */
  readonly undecided?: number;
  readonly started: readonly string[];
  readonly stopped: readonly string[];
  /** Number of assigned agents that cannot run the test, because their licenses allow no more tests. */
  readonly withoutRoom: number;
  readonly withoutRoomBefore: number;
}

/** Whether the rehearsal succeeded and a second update would change nothing. */
export function isWell({ strayed, update, second = [], destroy }: Rehearsal): boolean {
  return !strayed && update.failures.length === 0 && second.length === 0 && (destroy?.failures.length ?? 0) === 0;
}

const done: Readonly<Record<string, string>> = {
  create: "created",
  update: "updated",
  delete: "deleted",
  replace: "replaced",
};

export function rehearsalReport(rehearsal: Rehearsal): Report {
  return {
    data: {
      ok: isWell(rehearsal),
      ...rehearsal,
      references: rehearsal.references.map(plain),
      unknown: unknownOf(rehearsal).map(plain),
    },
    blocks: (medium) => (medium === "markdown" ? markdownOf(rehearsal) : blocksOf(rehearsal)),
  };
}

/** After a failure in the rehearsal, returns the whole report. Without a failure, returns a summary line and the lost references. */
function markdownOf(rehearsal: Rehearsal): Block[] {
  const line = phrase`${ours(isWell(rehearsal) ? "✅" : "❌")} Rehearsal of stack ${rehearsal.stack}: ${summaryOf(rehearsal)}`;
  if (!isWell(rehearsal)) return [heading(line, 2), ...blocksOf(rehearsal).slice(1)];
  return [text(line), ...section([lostTitle], list("line", rehearsal.references))];
}

function blocksOf(rehearsal: Rehearsal): Block[] {
  const { stack, copy, update, tests, licenses, second = [], references, destroy } = rehearsal;
  return [
    text(phrase`Rehearsal of stack ${stack}: ${summaryOf(rehearsal)}.`),
    text(
      [
        `On a copy of ${counted(copy.records, "record")} and ${counted(copy.agents, "agent")}. The copy required ${counted(copy.reads, "read request")} ` +
          `and no other requests.`,
      ],
      [`The update takes ${counted(update.requests.total, "request")}, ${timeOf(update)}.`],
      ...(licenses.length > 0 ? [[`${capitalized(peaksText(licenses))}.`]] : []),
    ),
    ...section(["Failures"], failureList(update.failures)),
    ...section(["Agents of the tests"], testTable(tests)),
    ...section(
      ["Changes by a second update"],
      list("change", second, ({ op, name }) => phrase`${ours(op)} ${name}`),
    ),
    ...section([lostTitle], list("line", references)),
    ...(destroy
      ? [
          text([
            `A destroy of the ${counted(destroy.resources, "new resource")} deletes ${count(destroy.deleted)}${destroy.failures.length > 0 ? ", and fails:" : "."}`,
          ]),
          failureList(destroy.failures),
        ]
      : []),
    { ...list("unknown", unknownOf(rehearsal)), style: "warnings" as const },
  ].filter((block) => block.kind !== "list" || block.items.length > 0);
}

function failureList(failures: readonly UpdateFailure[]): Block {
  return list("failure", failures, ({ reason }): Phrase => [errorText(reason)]);
}

function summaryOf({ update, second, strayed }: Rehearsal): Phrase {
  const changes = Object.entries(update.changes).map(([op, number]) => `${count(number)} ${done[op] ?? op}`);
  const changeText = changes.length > 0 ? changes.join(", ") : "nothing to change";
  const time = `${counted(update.requests.total, "request")}, ${durationText(update.seconds)}`;
  // All failures may result from the use of an account that was not copied.
  if (strayed) return strong(`part of the update uses another account, which was not copied; ${changeText}`);
  if (update.failures.length > 0) return strong(`${counted(update.failures.length, "failure")}; ${changeText}; ${time}`);
  if (second && second.length > 0)
    return strong(`a second update would change ${counted(second.length, "resource")}; ${changeText}; ${time}`);
  return ours(`${changeText}; nothing fails, and a second update changes nothing; ${time}`);
}

function timeOf({ limit, seconds }: Rehearsal["update"]): string {
  const under =
    limit === undefined ? "the account reports no rate limit" : `under the limit of ${count(limit)} requests a minute`;
  return `about ${durationText(seconds)} (${under}, without other clients)`;
}

function durationText(seconds: number): string {
  if (seconds < 90) return counted(seconds, "second");
  return counted(Math.round(seconds / 60), "minute");
}

function testTable(tests: readonly TestDifference[]): Block {
  const rows = tests.map((test) => [
    [word(test.testName)],
    ours(`${agentsText(test.before)} → ${agentsText(test.after, test.undecided)}`),
    namesOf(test),
    licensesOf(test),
  ]);
  return table("test", ["test", "agents", "which", "licenses"], rows);
}

function agentsText(agents: number | undefined, undecided = 0): string {
  if (agents === undefined) return "–";
  return undecided > 0 ? `${count(agents)} to ${count(agents + undecided)}` : count(agents);
}

function licensesOf({ withoutRoom, withoutRoomBefore, undecided = 0 }: TestDifference): Phrase {
  const parts = [
    ...(withoutRoom > 0 ? [`license full on ${count(withoutRoom)} (before: ${count(withoutRoomBefore)})`] : []),
    ...(undecided > 0 ? [`runs on ${count(undecided)} only if it is created before other new tests`] : []),
  ];
  return parts.length > 0 ? strong(parts.join("; ")) : [];
}

function namesOf({ started, stopped }: TestDifference): Phrase {
  return [
    ...(started.length > 0 ? phrase`starts on ${fewNames(started, maxNames)}` : []),
    ...(started.length > 0 && stopped.length > 0 ? ["; "] : []),
    ...(stopped.length > 0 ? phrase`stops on ${fewNames(stopped, maxNames)}` : []),
  ];
}

const strayedText =
  "Some resources use another service than the stack, or credentials that the service refuses. The rehearsal did not copy their account and sent no requests to it";
const unmeasured = "their results and limits are not known";

function unknownOf({ copy, strayed, update, leftOut, measured, role }: Rehearsal): Phrase[] {
  return [
    ...(strayed ? [[strayedText]] : []),
    ...copy.refused.map(
      (fact) => phrase`The token cannot read ${errorText(fact)}, so the rehearsal refuses requests for this data`,
    ),
    ...(leftOut > 0
      ? [ours(`${counted(leftOut, "resource")} of other providers ${leftOut === 1 ? "was" : "were"} not run`)]
      : []),
    ...(measured > 0 ? [[`${counted(measured, "run")} of tests measured nothing: ${unmeasured}`]] : []),
    ...(update.requests.total > 0 ? [[errorText(writingText(role))]] : []),
  ];
}

function writingText(role: RoleLabels | undefined): string {
  if (!role) return "A rehearsal only reads, so it cannot show whether the token may write";
  if (role.edits.length === 0) return capitalized(noEditText(role));
  return `The rehearsal does not test whether the token may write. Its role has these permissions: ${few(role.edits, maxNames)}`;
}

function plain(formatted: Phrase): string {
  return capitalized(formatted.map((span) => (typeof span === "string" ? span : span.text)).join(""));
}
