import type { Answer, Client } from "../../api";
import type { Kind } from "../kind";
import { Session } from "../session";
import type { Properties } from "../values";
import { readHoldings, type Holdings } from "./holdings";
import { compareLoad } from "./load";
import { byAge, WorldObjects } from "./objects";
import { type SelectedAgents, World } from "./world";

/** Most requests of a preview for its lines about reach. */
export const maxRequests = 8;
/** Milliseconds by which lines about reach may delay a preview in all. Afterwards it goes on without them. */
export const patienceMs = 900;
/** Agents on a page to ask for: as many as possible, for the requests that are left for agents are few. */
const agentsPerPage = 5_000;

/** A change of one label, tag or test, as a preview knows it. */
export interface ReachChange {
  readonly kind: Kind;
  /** Id of the record that is changed or replaced; undefined if there is none yet. */
  readonly id: string | undefined;
  /** Its properties after the change. Some may be unknown. */
  readonly properties: Properties;
}

/** What the service holds in the account group of a provider, read once for a preview. */
interface Known {
  accountGroupId: string;
  holdings: Holdings;
}

/**
 * Says which agents a change of a label, tag or test reaches, each change by itself. It never fails a preview, and delays it by less than a
 * second in all: what cannot be known by then is not said.
 */
export class PreviewReach {
  #known: Promise<Known | undefined> | undefined;
  #giveUp: Promise<undefined> | undefined;
  /** What is left of the patience, once the service has answered. */
  #leftMs = patienceMs;

  /** @param now milliseconds of a clock that never goes back */
  constructor(
    private readonly session: Session,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** One line about a change; undefined if it reaches the same agents as before, or nothing is known of it. */
  async lineOf(change: ReachChange): Promise<string | undefined> {
    const { reach } = change.kind;
    if (!this.session.settings.previewReach || !(reach?.means === "group" || (reach?.means === "test" && reach.scheduled))) {
      return undefined;
    }
    try {
      this.#known ??= this.#read();
      this.#giveUp ??= new Promise((resolve) => setTimeout(resolve, patienceMs, undefined).unref());
      const known = await Promise.race([this.#known, this.#giveUp]);
      if (!known || this.#leftMs <= 0) return undefined;
      // Among thousands of agents a line takes a while, and the lines of many changes add up.
      const started = this.now();
      const line = lineFor(known, change);
      this.#leftMs -= this.now() - started;
      return line;
    } catch {
      // A line that cannot be said is none. What is wrong shows in the update, with its own error.
      return undefined;
    }
  }

  async #read(): Promise<Known | undefined> {
    const { settings } = this.session;
    const started = this.now();
    // A session of its own: its requests are counted, its waits are not reported, and its records are not those of the operation.
    const ended = new AbortController();
    // Ends retries, too, which would be further requests.
    const onAnswer = ({ status }: Answer): void => (status < 400 ? undefined : ended.abort());
    const client = { ...settings.client, onWait: undefined, onAnswer, signal: ended.signal };
    const session = new Session({ ...settings, client }, limited);
    setTimeout(() => ended.abort(), patienceMs).unref();
    const accountGroupId = await session.accountGroupId();
    if (accountGroupId === undefined) return undefined;
    const holdings = await readHoldings(session, [accountGroupId], agentsPerPage);
    this.#leftMs -= this.now() - started;
    return holdings.isComplete && holdings.agents.has(accountGroupId) ? { accountGroupId, holdings } : undefined;
  }
}

/** A client that refuses further requests once it has sent as many as a preview may. */
function limited(client: Client): Client {
  let left = maxRequests;
  const counted =
    <A extends unknown[], R>(call: (...given: A) => R) =>
    (...given: A): R => {
      left -= 1;
      if (left < 0) throw new Error("The budget of requests is used up.");
      return call(...given);
    };
  const areas = Object.entries(client).map(([area, calls]) => [
    area,
    typeof calls === "function"
      ? calls
      : Object.fromEntries(Object.entries(calls as Record<string, () => unknown>).map(([name, call]) => [name, counted(call)])),
  ]);
  // The same areas with the same calls.
  return Object.fromEntries(areas) as Client;
}

function lineFor({ accountGroupId, holdings }: Known, { kind, id, properties }: ReachChange): string | undefined {
  const own = properties["accountGroupId"];
  if (own !== undefined && own !== accountGroupId) return undefined;
  const objects = new WorldObjects(accountGroupId);
  for (const record of holdings.records.toSorted(byAge))
    objects.put(record.kind, record.id, { ...record.state, accountGroupId });
  const before = new World(holdings.agents, new Map(objects.groups), new Map(objects.tests), true);
  const key = id ?? "new";
  objects.put(kind, key, { ...properties, accountGroupId });
  const after = new World(holdings.agents, objects.groups, objects.tests, true);
  const [first, last] = [before.reachedBy(key)?.value, after.reachedBy(key)?.value];
  if (!last) return undefined;
  const parts = [
    agentsText(first, last),
    ...testsText(kind, after.testsOf(key).length),
    ...licenseText({ before, after }, accountGroupId),
  ];
  return first && isSameReach(first, last) ? undefined : parts.join("; ");
}

/** `agents 214 -> 37 (+3, -180)`; of a new label or test `agents 37`. */
function agentsText(before: SelectedAgents | undefined, after: SelectedAgents): string {
  if (!before) return `agents ${after.count}`;
  const [gained, lost] = [without(after, before), without(before, after)];
  const parts = [...(gained > 0 ? [`+${gained}`] : []), ...(lost > 0 ? [`-${lost}`] : [])];
  return `agents ${before.count} -> ${after.count}${parts.length > 0 ? ` (${parts.join(", ")})` : ""}`;
}

function testsText({ reach, noun }: Kind, count: number): string[] {
  if (reach?.means !== "group" || count === 0) return [];
  return [count === 1 ? `1 test goes by this ${noun}` : `${count} tests go by this ${noun}`];
}

function licenseText(worlds: { before: World; after: World }, accountGroupId: string): string[] {
  const count = compareLoad(worlds, [accountGroupId]).over.filter(({ worse }) => worse).length;
  return count === 0 ? [] : [count === 1 ? "1 agent over its license" : `${count} agents over their license`];
}

function isSameReach(a: SelectedAgents, b: SelectedAgents): boolean {
  return a.count === b.count && without(a, b) === 0 && without(b, a) === 0;
}

/** Number of agents in the first selection that are not in the second. */
function without(all: SelectedAgents, some: SelectedAgents): number {
  const ids = new Set(some.agents.map(({ id }) => id));
  return all.agents.filter(({ id }) => !ids.has(id)).length;
}
