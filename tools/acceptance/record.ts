import { Router } from "../../emulator/router";
import { differencesOf, isObject, type Difference } from "./compare";
import { mask, masked } from "./mask";
import { type Answer, type OutgoingRequest, type Exchange, missing } from "./session";

/** Replacements for the service's host and account group in recordings. */
export const neutral = { origin: "https://api.example.com", aid: "1234" } as const;

/** A request and its response in a recording. */
export interface Interaction {
  readonly seq: number;
  /** Id of the check that sent the request. */
  readonly row?: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query?: Readonly<Record<string, readonly string[]>>;
    readonly headers?: Readonly<Record<string, string>>;
    readonly as?: Exchange["request"]["as"];
    readonly body?: unknown;
    readonly raw?: true;
  };
  readonly response: Exchange["response"];
}

/** Matches paths whose responses contain data about people and machines, which recordings replace. */
const personal = /^\/v7\/(account-groups|endpoint\/(agents|proxies|test-results|tests\/real-user-tests))/;
/** Matches lists with records of other users. Recordings replace the names and credentials in these lists. */
const listsOfOthers = /^\/v7\/(alerts\/rules|streams)$/;
const withheld = "(text)";
/** Matches names of members whose text comes from the service instead of a user. */
const kept =
  /^(id|aid|agentId|testId|ruleId|roundId|fromAid|toAid|href|sort|order|operator|status|title|detail|type|code|field|message|error|error_description|licenseType|platform|agentType|protocol|errorType)$/;

/** Returns a recording that is safe to publish, without the host, the account group, secrets, and names of agents and users. */
export function recordingOf(
  exchanges: readonly Exchange[],
  origin: string,
  aid: string,
  secrets: readonly string[],
): Interaction[] {
  const rename = (text: string): string => {
    return text.replaceAll(origin, neutral.origin).replaceAll(/[\w-]+/g, (word) => (word === aid ? neutral.aid : word));
  };
  return exchanges.map(({ row, request, response }, at) => {
    const isPersonal = personal.test(request.path) || (request.method === "GET" && listsOfOthers.test(request.path));
    const whole = {
      seq: at + 1,
      row,
      request: { ...request, body: isPersonal ? withoutText(request.body) : request.body },
      response: { ...response, body: isPersonal ? withoutText(response.body) : response.body },
    };
    return JSON.parse(rename(JSON.stringify(mask(whole, secrets)))) as Interaction;
  });
}

function withoutText(value: unknown, member = ""): unknown {
  if (typeof value === "string") return kept.test(member) ? value : withheld;
  if (Array.isArray(value)) return value.map((item) => withoutText(item, member));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutText(inner, name)]));
}

/** The result of sending one recorded request again. */
export interface Replayed {
  readonly seq: number;
  readonly row?: string;
  readonly differences: readonly Difference[];
  /** The reason why the request was not sent again. */
  readonly skipped?: string;
}

const router = new Router([]);

/** Matches texts that may differ between two runs: dates, counters, masked texts, and positions in a list. */
const volatile =
  /(Date|At|Ms|timestamp|legacyId|lastSeen|cursor|expires_in|connectionString|access_token|totalAgents|totalHits|numberOfClients)$/;

/**
 * Sends recorded requests to another service with that service's ids. Compares the new responses with the recorded responses.
 *
 * @param origin base URL that the other service's links contain
 */
export async function replay(
  interactions: readonly Interaction[],
  send: (asked: OutgoingRequest & { as: Exchange["request"]["as"] }) => Promise<Answer>,
  { origin, aid }: { origin: string; aid: string },
): Promise<Replayed[]> {
  const ids = new Map<string, string>([[neutral.aid, aid]]);
  // All ids are replaced at the same time, because an id of the recording may belong to another record of the new service.
  const here = (text: string): string =>
    text.replaceAll(/[\w-]+/g, (word) => ids.get(word) ?? word).replaceAll(neutral.origin, origin);
  /** Ids of the records that recorded requests created. */
  const made = new Set<string>();
  const replayed: Replayed[] = [];
  for (const { seq, row, request, response } of interactions) {
    const skipped = whySkipped({ request, response }, made);
    if (skipped !== undefined) {
      replayed.push({ seq, row, differences: [], skipped });
      continue;
    }
    const { method, query = {}, headers, as = "account", raw } = request;
    const body = request.body === undefined ? undefined : (JSON.parse(here(JSON.stringify(request.body))) as unknown);
    const mapped = Object.fromEntries(Object.entries(query).map(([name, values]) => [name, values.map(here)]));
    const sent = raw ? { raw: String(body) } : { body };
    const answer = await send({ method, path: here(request.path), query: mapped, headers, as, ...sent });
    const before = new Set(ids.keys());
    if (response.status === 201 && isObject(response.body)) {
      const id = String(response.body["id"] ?? response.body["testId"] ?? response.body["ruleId"]);
      made.add(id);
      before.delete(id);
    }
    learnIds(response.body, answer.body, ids, before);
    const expected = response.body === undefined ? undefined : (JSON.parse(here(JSON.stringify(response.body))) as unknown);
    const type = (value: string | undefined): string | undefined => value?.split(";")[0];
    replayed.push({
      seq,
      row,
      differences: [
        ...differencesOf(answer.status, response.status, "status"),
        ...differencesOf(type(answer.headers["content-type"]), type(response.headers["content-type"]), "content-type"),
        ...answersDiffer(answer.body, expected, "body"),
      ],
    });
  }
  return replayed;
}

type Recorded = Pick<Interaction, "request" | "response">;

function whySkipped({ request, response }: Recorded, made: ReadonlySet<string>): string | undefined {
  const { method, path, body, raw } = request;
  const match = router.match(method, path);
  if (match.matched === "nothing" && !path.startsWith("/v7/endpoint/"))
    return "the contract in api/schemas has no such operation";
  const named = match.matched === "operation" ? Object.values(match.path) : [];
  // Recorded lifecycles of labels use ids from lists. The ids of agents and results belong to the account.
  const isNobodys = (id: string): boolean => response.status >= 400 && Object.values<string>(missing).includes(id);
  if (personal.test(path) && named.some((id) => !made.has(id) && !isNobodys(id))) return "it depends on records of the account";
  if (raw && /^\(.*\)$/.test(String(body))) return "its body was not recorded";
  const text = JSON.stringify(body ?? "");
  if (text.includes(masked) || text.includes(withheld)) return "a part of its body was not recorded";
  return undefined;
}

/**
 * Pairs ids in a recorded response with ids at the same position of the new response. Existing pairs stay, because a list may
 * contain other records in the new response.
 */
function learnIds(
  recorded: unknown,
  answered: unknown,
  ids: Map<string, string>,
  known: ReadonlySet<string>,
  member = "",
): void {
  if (Array.isArray(recorded) && Array.isArray(answered)) {
    for (const [at, item] of recorded.entries()) learnIds(item, answered[at], ids, known, member);
  } else if (isObject(recorded) && isObject(answered)) {
    for (const [name, value] of Object.entries(recorded)) learnIds(value, answered[name], ids, known, name);
  } else if (/^(id|testId|ruleId|agentId|roundId)$/.test(member) && isScalar(recorded) && isScalar(answered)) {
    if (!known.has(String(recorded))) ids.set(String(recorded), String(answered));
  }
}

const isScalar = (value: unknown): value is string | number => ["string", "number"].includes(typeof value);

/**
 * Returns the members and values that differ between two responses. For a list of records, only the members of the first record
 * are compared.
 */
function answersDiffer(here: unknown, recorded: unknown, at: string): Difference[] {
  if (recorded === withheld || recorded === masked)
    return typeof here === "string" ? [] : [{ at, emulator: here, service: "a text" }];
  if (volatile.test(at)) return typeof here === typeof recorded ? [] : [{ at, emulator: here, service: recorded }];
  if (Array.isArray(here) && Array.isArray(recorded) && [...here, ...recorded].some(isObject)) {
    const records = [here[0], recorded[0]];
    return records.every(isObject) ? shapesDiffer(records[0], records[1], `${at}[]`) : [];
  }
  if (!isObject(here) || !isObject(recorded)) return differencesOf(here, recorded, at);
  const names = new Set([...Object.keys(here), ...Object.keys(recorded)]);
  // The link to the next page depends on the number of records in the account.
  return [...names]
    .filter((name) => name !== "next")
    .flatMap((name) => answersDiffer(here[name], recorded[name], `${at}.${name}`));
}

function shapesDiffer(here: unknown, recorded: unknown, at: string): Difference[] {
  if (!isObject(here) || !isObject(recorded)) return [];
  const lacking = Object.keys(recorded).filter((name) => !(name in here));
  return lacking.map((name) => ({ at: `${at}.${name}`, emulator: undefined, service: recorded[name] }));
}
