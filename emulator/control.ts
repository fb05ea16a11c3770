import { z } from "zod";
import { requireControlAccess } from "./access";
import { fault } from "./faults";
import type { FleetAgent } from "./fleet/fleet";
import type { Internals } from "./internals";
import { closeSession, openSession, sessionRequest, sessions } from "./measure/sessions";
import { agents } from "./model/agents";
import { labels } from "./model/labels";
import { alertRules, streams } from "./model/alerts";
import { tags } from "./model/tags";
import { testKinds } from "./model/test-kinds";
import { findTest, instantOf } from "./model/tests";
import { fieldErrors, Problem, ownStyle } from "./problem";
import { json, type Reply } from "./reply";
import { type RawRequest, readJson } from "./request";
import { pageLoad, recordPage } from "./results/visits";
import { digestOf, secretMembers, withoutSecrets } from "./secrets";
import { agentsAssigned, agentsOfLabel, agentsOfTag, agentsRunning, agentsSelected } from "./selection";
import type { Collection, StoreRow } from "./store";
import { inOurWords } from "./wording";

/**
 * Path prefix of the control API.
 *
 * The control API is not part of the service. The control API needs no token, and only this machine can use it.
 */
export const controlPrefix = "/_emulator/";

type Control = (server: Internals, request: RawRequest, path: readonly string[]) => object | void;

const controls: Record<string, Control> = {
  "GET requests": ({ log }, { query }) => ({
    total: log.total(),
    operations: log.counts(),
    ...(query.get("log") === "true" && { log: log.entries() }),
  }),
  "POST requests/reset": ({ log }) => log.reset(),
  "POST reset": (server) => server.reset(),
  "GET faults": ({ faults }) => ({ faults: faults.pending() }),
  "POST faults": ({ faults }, request) => faults.add([parse(fault, request)]),
  "POST faults/reset": ({ faults }) => faults.clear(),
  "DELETE faults/*": ({ faults }, _request, [, id = ""]) => {
    if (!faults.drop(id)) throw new Problem(404, `No fault ${id} is pending`);
  },
  "POST real-user-tests": ({ service }, request) => recordPage(service, parse(pageLoad, request)),
  "PUT program": (server, request) => {
    server.program = parse(z.strictObject({ title: z.string(), text: z.string() }), request);
  },
  "POST sessions": ({ service }, request) => openSession(service, parse(sessionRequest, request)),
  "DELETE sessions/*": ({ service }, _request, [, id = ""]) => closeSession(service, id),
  "POST tokens/revoke": ({ service }) => service.tokens.revokeIssued(),
  "GET labels/*/agents": ({ service }, _request, [, id = ""]) => {
    const label = service.store.get(labels, id);
    if (!label) throw new Problem(404, `No label ${id}`);
    return { agents: agentsOfLabel(service, label).map(named), silent: agentsOfLabel(service, label, true).map(named) };
  },
  "GET tags/*/agents": ({ service }, _request, [, id = ""]) => {
    const tag = service.store.get(tags, id);
    if (!tag) throw new Problem(404, `No tag ${id}`);
    return { agents: agentsOfTag(service, tag).map(named), silent: agentsOfTag(service, tag, true).map(named) };
  },
  "GET tests/*/agents": ({ service }, _request, [, id = ""]) => selectionOf(service, id),
  "GET records/*": ({ service }, _request, [, name = ""]) => ({ records: service.store.ids(name) }),
  "GET records/*/*": (server, _request, path) => shown(stored(server, path).row),
  "PATCH records/*/*": (server, request, path) => {
    const { collection, row } = stored(server, path);
    const changed = Object.entries({ ...row.body, ...changesOf(request, row.body) }).filter(([, value]) => value !== null);
    const body = Object.fromEntries(changed);
    requireMembers(collection, body);
    server.service.store.replace(collection, row.id, body);
    return shown(stored(server, path).row);
  },
};

/**
 * Answers a request of `/_emulator/…`. If a control request has no result, the response has the status 204.
 *
 * @throws Problem
 */
export function answerControl(server: Internals, request: RawRequest): Reply {
  requireControlAccess(request);
  const path = request.pathname.slice(controlPrefix.length).split("/").map(decoded);
  const control = controls[`${request.method} ${path.join("/")}`] ?? wildcard(request.method, path);
  if (!control) throw new Problem(404, `The control API has only ${Object.keys(controls).join(", ")} below ${controlPrefix}`);
  const body = control(server, request, path);
  return body ? json(200, "application/json", body) : { status: 204, headers: {} };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Problem(400, "The path has a % that is not followed by two hexadecimal digits of UTF-8.");
  }
}

function wildcard(method: string, [first, ...rest]: readonly string[]): Control | undefined {
  const entry = Object.entries(controls).find(([route]) => {
    const [itsMethod, ...its] = route.split(/[ /]/);
    if (itsMethod !== method || its[0] !== first || its.length !== rest.length + 1) return false;
    return its.slice(1).every((segment, at) => segment === "*" || segment === rest[at]);
  });
  return entry?.[1];
}

const collections: readonly Pick<Collection<unknown>, "name" | "needs">[] = [
  agents,
  labels,
  tags,
  alertRules,
  streams,
  sessions,
  ...testKinds.flatMap(({ collection }) => [collection, instantOf(collection)]),
];

function stored({ service }: Internals, [, name = "", id = ""]: readonly string[]) {
  const collection: Collection<object> = { name, series: name, firstId: 1 };
  const row = service.store.get(collection, id);
  if (!row) throw new Problem(404, `No record ${id} in ${name}`);
  return { collection, row };
}

function shown(row: StoreRow<object>): object {
  return { ...row, body: withoutSecrets(row.body, digestOf) };
}

/** If a request contains the digest of a secret, the secret stays unchanged. */
function changesOf(request: RawRequest, body: object): object {
  const digests = new Map(Object.entries(withoutSecrets(body, digestOf) as object));
  const isSame = ([name, value]: [string, unknown]) => secretMembers.has(name) && digests.get(name) === value;
  return Object.fromEntries(Object.entries(readJson(request)).filter((member) => !isSame(member)));
}

function requireMembers({ name }: Collection<object>, body: object): void {
  const needs = collections.find((candidate) => candidate.name === name)?.needs ?? [];
  const errors = needs
    .filter((member) => !(member in body))
    .map((field) => ({ code: "missing", field, message: `is required for every record of ${name}` }));
  if (errors.length > 0) throw ownStyle.invalid("body", errors);
}

function selectionOf(service: Internals["service"], id: string): object {
  for (const { collection } of testKinds) {
    const test = findTest(service.store, collection, id);
    if (!test) continue;
    const isInstant = service.store.get(collection, id) === undefined;
    const assigned = agentsAssigned(service, test);
    const running = new Set((isInstant ? assigned : agentsRunning(service, test)).map((agent) => agent.id));
    return {
      selected: agentsSelected(service, test).length,
      agents: assigned.map((agent) => ({ ...named(agent), runs: running.has(agent.id) })),
    };
  }
  throw new Problem(404, `No test ${id}`);
}

function named({ id, body }: FleetAgent) {
  return { id, name: body.name };
}

function parse<S extends z.ZodType>(schema: S, request: RawRequest): z.output<S> {
  const sent = readJson(request);
  const parsed = schema.safeParse(sent, inOurWords);
  if (parsed.success) return parsed.data;
  throw ownStyle.invalid("body", fieldErrors(parsed.error, sent));
}
