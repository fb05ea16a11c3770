import { AbortedError, ApiError, EndpointMonitoringError, type AgentSearchFilters, type Answer, type Client } from "../../api";
import type { Kind } from "../kind";
import { Session } from "../session";
import { type AgentListing, pagesOfAgents } from "../agent-pages";
import { listedKinds, readHoldings, silentMs } from "./holdings";
import { searchFor } from "./search";
import { type Knowledge } from "./world";
import { lineFor } from "./preview-text";
import { type ReachChange, type KnownReach } from "./preview-text";

/** Maximum number of requests that a preview sends to find the affected agents. */
export const maxRequests = 8;

/**
 * Maximum time in milliseconds that a preview waits for its lines about agents. After this time, the preview continues without lines about
 * agents.
 */
export const patienceMs = 900;

/** Number of agents per page. The pages are large so that few requests are necessary. */
const agentsPerPage = 5_000;

export type Announce = (line: string) => void | Promise<void>;

/**
 * Shows which agents a change to a label, tag or test affects. An error never makes the preview fail. The lines about agents delay a
 * preview by less than a second in total. If the service does not answer in time, a single line reports the reason.
 */
export class PreviewReach {
  #known: Promise<Knowledge<KnownReach>> | undefined;
  #giveUp: Promise<Knowledge<KnownReach>> | undefined;
  /** Milliseconds that the preview may still wait for the service. */
  #leftMs = patienceMs;
  #announced: Promise<void> | undefined;

  /** @param now function that returns the milliseconds of a monotonic clock */
  constructor(
    private readonly session: Session,
    private readonly announce: Announce,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Whether the preview has already reported why it cannot show the affected agents. */
  get isBlind(): boolean {
    return this.#announced !== undefined;
  }

  /** Returns the line about a change, or undefined if the affected agents stay the same or are unknown. */
  async lineOf(change: ReachChange): Promise<string | undefined> {
    if (!this.session.settings.previewReach || !isReaching(change.kind)) return undefined;
    this.#known ??= this.#read();
    this.#giveUp ??= new Promise((resolve) => setTimeout(resolve, patienceMs, { why: late }).unref());
    const { value, why = slow } = await Promise.race([this.#known, this.#giveUp]);
    // The time limit includes the computation of the lines, which can be slow for many changes and thousands of agents.
    if (!value || this.#leftMs <= 0) {
      await (this.#announced ??= Promise.resolve(this.announce(why)));
      return undefined;
    }
    const { holdings, total } = value;
    if (!holdings) {
      await (this.#announced ??= Promise.resolve(this.announce(tooMany(total))));
      return Promise.race([
        countedLine(value, change),
        this.#giveUp.then(() => notCounted("the service did not answer in time")),
      ]);
    }
    const started = this.now();
    try {
      return lineFor({ ...value, holdings }, change);
    } catch {
      // An error in a line must not make the preview fail.
      return undefined;
    } finally {
      this.#leftMs -= this.now() - started;
    }
  }

  async #read(): Promise<Knowledge<KnownReach>> {
    const { settings } = this.session;
    const started = this.now();
    // The lines about agents use a separate session, which limits the number of requests and does not report waits. The operation's own
    // session must not cache the records that were read for the lines about agents.
    const ended = new AbortController();
    const failures = new Failures();
    // After the first error status, the session is aborted, so that no retry or token renewal causes additional requests.
    const onAnswer = (answer: Answer): void => {
      if (answer.status < 400) return;
      failures.answer ??= answer;
      ended.abort();
    };
    const client = { ...settings.client, onWait: undefined, onAnswer, signal: ended.signal };
    setTimeout(() => ended.abort(), patienceMs).unref();
    try {
      const budget = { left: maxRequests };
      const session = new Session({ ...settings, client }, (all) => limited(all, failures, budget));
      // If the settings contain no account group, the service lists the agents of the token's account group.
      const pages = pagesOfAgents(session, settings.accountGroupId, agentsPerPage);
      const [accountGroupId, first] = await Promise.all([session.accountGroupId(), pages.next()]);
      if (accountGroupId === undefined) return { why: groupUnknown };
      const page = first.done === true ? undefined : first.value;
      const total = page?.totalAgents ?? 0;
      const count = counter(session, accountGroupId);
      const morePages = Math.ceil(total / Math.max(1, page?.agents.length ?? 0)) - 1;
      if (morePages > budget.left - listedKinds().length) return { value: { accountGroupId, count, total } };
      const holdings = await readHoldings(session, [accountGroupId], () => prepended(page, pages));
      if (!holdings.isComplete || !holdings.agents.has(accountGroupId)) return { why: failures.why() };
      this.#leftMs -= this.now() - started;
      return { value: { accountGroupId, holdings, count, total } };
    } catch (error) {
      return { why: error instanceof UsedUpError ? usedUp : failures.why() };
    }
  }
}

/**
 * Whether previews show the agents that a change affects. Changes to instant tests do not affect agents, because an instant
 * test runs only once.
 */
function isReaching({ reach }: Kind): boolean {
  return reach !== undefined && (reach.means !== "test" || reach.scheduled);
}

const notShown = "so this preview does not show which agents its changes affect";

const late = `The service did not answer within ${patienceMs / 1_000} s, ${notShown}.`;

const slow =
  "This preview does not show which agents its other changes affect, because counting them would delay it by more than a second.";

const usedUp = `The account group has more agents than ${maxRequests} requests can list, ${notShown}.`;

const tooMany = (total: number): string =>
  `The account group has ${total} agents, more than ${maxRequests} requests can list. This preview counts agents with the service's search, ` +
  "which includes disabled agents. It does not show gained and lost agents, the tests that use a label, or exceeded licenses.";

const groupUnknown = `The token may not list account groups, ${notShown}. Set endpoint-monitoring:accountGroupId.`;

class UsedUpError extends Error {}

/** Failed requests for the lines about agents. The first failure aborts all other requests and so causes all further failures. */
class Failures {
  answer: Answer | undefined;
  readonly errors: EndpointMonitoringError[] = [];

  /** Returns the reason why the service did not answer: the first failure, because all further failures result from it. */
  why(): string {
    const causes = this.errors.filter((error) => !(error instanceof AbortedError));
    // If requests were aborted without any other failure, the time limit was the reason.
    if (causes.length === 0 && this.answer === undefined && this.errors.length > 0) return late;
    const reason = causes.find((error) => error instanceof ApiError)?.message ?? this.#ended() ?? causes[0]?.message;
    return `The preview could not determine which agents the changes affect. ${reason ?? ""}`.trimEnd();
  }

  #ended(): string | undefined {
    return this.answer && `The service answered ${this.answer.status} to ${this.answer.operation}.`;
  }
}

/** Wraps a client so that it refuses requests beyond the preview's limit, and records failures. */
function limited(client: Client, failures: Failures, budget: { left: number }): Client {
  const counted =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      budget.left -= 1;
      if (budget.left < 0) throw new UsedUpError("The preview reached its limit for requests to the service.");
      try {
        return await call(...args);
      } catch (error) {
        if (error instanceof EndpointMonitoringError) failures.errors.push(error);
        throw error;
      }
    };
  const areas = Object.entries(client).map(([area, calls]) => [
    area,
    typeof calls === "function"
      ? calls
      : Object.fromEntries(
          Object.entries(calls as Record<string, () => Promise<unknown>>).map(([name, call]) => [name, counted(call)]),
        ),
  ]);
  return Object.fromEntries(areas) as Client;
}

async function* prepended(first: AgentListing | undefined, rest: AsyncIterable<AgentListing>): AsyncGenerator<AgentListing> {
  if (first) yield first;
  yield* rest;
}

/** Returns a function that counts agents with the service's search. Repeated searches with equal filters share one request. */
function counter(session: Session, accountGroupId: string): KnownReach["count"] {
  const counts = new Map<string, Promise<number>>();
  const request = async (searchFilters: AgentSearchFilters, isSeen: boolean): Promise<number> => {
    const filters = [{ name: "last-seen-ms" as const, operator: "lte" as const, value: silentMs }];
    const body = { searchFilters, ...(isSeen && { thresholdFilter: { filters } }) };
    const { totalAgents } = await session.client.agents.filter({ body, query: { aid: accountGroupId, max: 1 } });
    return totalAgents ?? NaN;
  };
  return (search, isSeen) => {
    const key = JSON.stringify([search, isSeen]);
    const known = counts.get(key) ?? request(search, isSeen);
    counts.set(key, known);
    return known;
  };
}

/** Returns the line about a change in a very large account group, such as `agents 12340 (9820 seen within the hour)`. */
async function countedLine({ accountGroupId, count, total }: KnownReach, change: ReachChange): Promise<string | undefined> {
  const { reach } = change.kind;
  const declaredGroup = change.properties["accountGroupId"];
  if (reach === undefined || reach.means === "agents" || (declaredGroup !== undefined && declaredGroup !== accountGroupId))
    return undefined;
  const search = searchFor(reach, change.properties);
  if (!search) return notCounted("the service's search cannot express its selection");
  try {
    const selected = Object.keys(search).length === 0 ? total : await count(search, false);
    const seen = await count(search, true);
    if (Number.isNaN(selected + seen)) return notCounted("the service does not count the results of its search");
    const most = reach.means === "test" ? reach.schedule(change.properties).maxMachines : Infinity;
    const number = most < selected ? `${most} of ${selected}` : String(selected);
    return `agents ${number}${seen < selected ? ` (${seen} seen within the hour)` : ""}`;
  } catch (error) {
    if (error instanceof UsedUpError) return notCounted(`the ${maxRequests} requests of a preview are used up`);
    return notCounted("the search of the service failed, or did not answer in time");
  }
}

function notCounted(why: string): string {
  return `agents not counted: ${why}`;
}
