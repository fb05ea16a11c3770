import { AbortedError, ApiError, EndpointMonitoringError, type AgentSearchFilters, type Answer, type Client } from "../../api";
import type { Kind } from "../kind";
import { Session } from "../session";
import { type AgentListing, listedKinds, pagesOfAgents, readHoldings, silentMs } from "./holdings";
import { searchFor } from "./search";
import { type Knowledge } from "./world";
import { lineFor } from "./preview-text";
import { type ReachChange, type KnownReach } from "./preview-text";

/** Maximum number of requests that a preview sends for its lines about agents. */
export const maxRequests = 8;

/** Limit of the delay that these lines cause in a preview, in milliseconds. After that the preview continues without them. */
export const patienceMs = 900;

/** Requested page size: as large as possible, since few requests are left for agents. */
const agentsPerPage = 5_000;

/** Takes a line that concerns the preview as a whole. */
export type Announce = (line: string) => void | Promise<void>;

/**
 * Reports which agents each change of a label, tag or test affects. It never fails a preview, and delays it by less than a
 * second in total. If the result is not available by then, one line for the whole preview reports the reason before the lines
 * of resources.
 */
export class PreviewReach {
  #known: Promise<Knowledge<KnownReach>> | undefined;
  #giveUp: Promise<Knowledge<KnownReach>> | undefined;
  /** Milliseconds that previews may still wait for the service. */
  #leftMs = patienceMs;
  #announced: Promise<void> | undefined;

  /**
   * @param announce takes the line that explains missing results
   * @param now milliseconds of a clock that never goes back
   */
  constructor(
    private readonly session: Session,
    private readonly announce: Announce,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Whether the service did not answer, or not in time. The reason was already reported. */
  get isBlind(): boolean {
    return this.#announced !== undefined;
  }

  /** Returns the line about a change; undefined if the affected agents stay the same or are not known. */
  async lineOf(change: ReachChange): Promise<string | undefined> {
    if (!this.session.settings.previewReach || !isReaching(change.kind)) return undefined;
    this.#known ??= this.#read();
    this.#giveUp ??= new Promise((resolve) => setTimeout(resolve, patienceMs, { why: late }).unref());
    const { value, why = slow } = await Promise.race([this.#known, this.#giveUp]);
    // With thousands of agents, computing a line takes a while, and many changes add up.
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
      // An error in a line must not fail the preview.
      return undefined;
    } finally {
      this.#leftMs -= this.now() - started;
    }
  }

  async #read(): Promise<Knowledge<KnownReach>> {
    const { settings } = this.session;
    const started = this.now();
    // This needs a session of its own: its requests are counted, its waits are not reported, and its records do not mix with
    // the operation's.
    const ended = new AbortController();
    const failures = new Failures();
    // This also ends retries and renewals of the token, which would be further requests.
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
      // Without an account group, the service lists the token's own.
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

/** Whether a preview can report the agents of a kind's change. An existing instant test has already run. */
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

/** The preview has reached its limit of requests. */
class UsedUpError extends Error {}

/** The failures of one read. The first failure causes the others. */
class Failures {
  answer: Answer | undefined;
  readonly errors: EndpointMonitoringError[] = [];

  /** Returns the reason why the service did not answer. Requests that were aborted after another failure do not count. */
  why(): string {
    const causes = this.errors.filter((error) => !(error instanceof AbortedError));
    // Without a cause, the time limit aborted the requests.
    if (causes.length === 0 && this.answer === undefined && this.errors.length > 0) return late;
    const reason = causes.find((error) => error instanceof ApiError)?.message ?? this.#ended() ?? causes[0]?.message;
    return `The preview could not determine which agents the changes affect. ${reason ?? ""}`.trimEnd();
  }

  #ended(): string | undefined {
    return this.answer && `The service answered ${this.answer.status} to ${this.answer.operation}.`;
  }
}

/** Returns a client that refuses requests once the preview's limit is reached, and that records failures. */
function limited(client: Client, failures: Failures, budget: { left: number }): Client {
  const counted =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      budget.left -= 1;
      if (budget.left < 0) throw new UsedUpError("The preview has used all of its requests.");
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
  // The result has the client's areas and calls.
  return Object.fromEntries(areas) as Client;
}

async function* prepended(first: AgentListing | undefined, rest: AsyncIterable<AgentListing>): AsyncGenerator<AgentListing> {
  if (first) yield first;
  yield* rest;
}

/** Returns a function that counts agents by the service's search. It sends each search once. */
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

/** Returns the line about a change if there are too many agents to list: `agents 12340 (9820 seen within the hour)`. */
async function countedLine({ accountGroupId, count, total }: KnownReach, change: ReachChange): Promise<string | undefined> {
  const { reach } = change.kind;
  const own = change.properties["accountGroupId"];
  if (reach === undefined || reach.means === "agents" || (own !== undefined && own !== accountGroupId)) return undefined;
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
