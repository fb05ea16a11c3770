/** Recorded calls of the engine to the native plugin, in the engine's own JSON, and how they are compared. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isObject, type Properties } from "../../provider/values";

/** One call of the engine, with the plugin's answer. */
export interface Call {
  method: string;
  request: Properties;
  response: Properties;
}

/** What was recorded: the life of each kind, and those of the examples in other languages, as their hosts ask for it. */
export const traces = ["life", "yaml", "python"] as const;
export type Trace = (typeof traces)[number];

const traceFile = (trace: Trace): string => join(__dirname, `../fixtures/protocol/${trace}.json`);

/** Writes recordings anew instead of comparing with them. */
const update = process.env["UPDATE_TRACE"] === "1";

/** The emulator that a trace is recorded and replayed against. */
export const traceEmulator = { agents: 6, transferDelayMs: 0 };

/** Methods about resources and functions. */
const recordedMethods = new Set(["Check", "Diff", "Create", "Read", "Update", "Delete", "Invoke"]);

/** Calls in the log of an engine, without those about the provider as a whole, one list an operation. */
function callsIn(log: string, emulatorUrl: string): Call[][] {
  const operations: Call[][] = [];
  const lines = log.replaceAll(emulatorUrl, "{emulator}").trim().split("\n");
  for (const line of lines) {
    const { method = "", request = {}, response = {}, progress } = JSON.parse(line) as Partial<Call> & { progress?: string };
    const [, service, name = ""] = method.split("/");
    if (service !== "pulumirpc.ResourceProvider" || progress !== "response_completed") continue;
    if (name === "Handshake") operations.push([]);
    if (recordedMethods.has(name))
      operations.at(-1)?.push({ method: name, request: portable(request), response: portable(response) });
  }
  return operations.filter((calls) => calls.length > 0);
}

/** Properties of a call without what is of one run: addresses, seeds and times. */
function portable({
  randomSeed: _seed,
  resourceStatusAddress: _address,
  resourceStatusToken: _token,
  ...call
}: Properties): Properties {
  const text = JSON.stringify(call).replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "2026-01-01T00:00:00Z");
  return JSON.parse(text) as Properties;
}

/** What was recorded, against an emulator. */
export function recorded(trace: Trace, emulatorUrl: string): Call[][] {
  return JSON.parse(readFileSync(traceFile(trace), "utf8").replaceAll("{emulator}", emulatorUrl)) as Call[][];
}

/** What an engine asked in each operation, a line a call: it may ask about independent resources in another order. */
export function asked(operations: Call[][]): string[][] {
  return operations.map((calls) =>
    calls.map(({ method, request }) => `${method} ${String(request["urn"] ?? request["tok"])}`).toSorted(),
  );
}

/** The calls in the log of an engine. With UPDATE_TRACE=1 they are recorded first. */
export function callsInLog(trace: Trace, log: string, emulatorUrl: string): Call[][] {
  const operations = callsIn(log, emulatorUrl);
  if (update) {
    const lines = operations.map((calls) => `[\n${calls.map((call) => JSON.stringify(call)).join(",\n")}\n]`);
    mkdirSync(dirname(traceFile(trace)), { recursive: true });
    writeFileSync(traceFile(trace), `[\n${lines.join(",\n")}\n]\n`);
  }
  return operations;
}

/** An answer as a trace has it: without members that are empty, and without times. */
export function comparable(answer: Properties): unknown {
  return portable(dropEmpty(answer) as Properties);
}

function dropEmpty(value: unknown): unknown {
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([, member]) => {
    if (member === undefined || member === "" || member === false) return false;
    return !(Array.isArray(member) && member.length === 0) && !(isObject(member) && Object.keys(member).length === 0);
  });
  return Object.fromEntries(kept);
}
