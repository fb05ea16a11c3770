import { z } from "zod";
import { fault } from "./faults";
import { closeSession, openSession, sessionRequest } from "./measure/sessions";
import { fieldErrors, Problem, standardStyle } from "./problem";
import { json, problemReply, type Reply } from "./reply";
import { type RawRequest, readJson } from "./request";
import { pageLoad, recordPage } from "./results/visits";
import type { Inside } from "./inside";
import type { Collection } from "./store";

/** Paths of the emulator itself: not of the service, not counted, no token, from loopback only. */
export const doorPrefix = "/_emulator/";

type Door = (server: Inside, request: RawRequest, path: readonly string[]) => object | void;

const doors: Record<string, Door> = {
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
  "POST omit": ({ omissions }, request) => {
    const { operation, members } = parse(z.strictObject({ operation: z.string(), members: z.array(z.string()) }), request);
    omissions.set(operation, members);
  },
  "POST real-user-tests": ({ service }, request) => recordPage(service, parse(pageLoad, request)),
  "POST sessions": ({ service }, request) => openSession(service, parse(sessionRequest, request)),
  "DELETE sessions/*": ({ service }, _request, [, id = ""]) => closeSession(service, id),
  "POST tokens/revoke": ({ service }) => service.tokens.revokeIssued(),
  "GET records/*": ({ service }, _request, [, name = ""]) => ({ records: service.store.ids(name) }),
  "GET records/*/*": (server, _request, path) => stored(server, path).row,
  "PATCH records/*/*": (server, request, path) => {
    const { collection, row } = stored(server, path);
    const changed = Object.entries({ ...row.body, ...readJson(request) }).filter(([, value]) => value !== null);
    server.service.store.replace(collection, row.id, Object.fromEntries(changed));
    return stored(server, path).row;
  },
};

/** Answers a request of `/_emulator/…`; what has nothing to say is a 204. */
export function answerDoor(server: Inside, request: RawRequest): Reply {
  try {
    if (!request.fromLoopback) throw new Problem(403, "These paths are for this machine only.");
    const path = request.pathname.slice(doorPrefix.length).split("/").map(decodeURIComponent);
    const door = doors[`${request.method} ${path.join("/")}`] ?? wildcard(request.method, path);
    if (!door) throw new Problem(404, `The emulator knows ${Object.keys(doors).join(", ")} below ${doorPrefix}`);
    const body = door(server, request, path);
    return body ? json(200, "application/json", body) : { status: 204, headers: {} };
  } catch (error) {
    const problem = error instanceof Problem ? error : new Problem(400, String(error));
    return problemReply(problem, standardStyle, request.pathname);
  }
}

function wildcard(method: string, [first, ...rest]: readonly string[]): Door | undefined {
  return doors[`${method} ${[first, ...rest.map(() => "*")].join("/")}`];
}

function stored({ service }: Inside, [, name = "", id = ""]: readonly string[]) {
  const collection: Collection<object> = { name, series: name, firstId: 1 };
  const row = service.store.get(collection, id);
  if (!row) throw new Problem(404, `No record ${id} in ${name}`);
  return { collection, row };
}

function parse<S extends z.ZodType>(schema: S, request: RawRequest): z.output<S> {
  const sent = readJson(request);
  const parsed = schema.safeParse(sent);
  if (parsed.success) return parsed.data;
  throw standardStyle.invalid("body", fieldErrors(parsed.error, sent));
}
