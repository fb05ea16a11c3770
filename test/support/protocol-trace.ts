/** Recorded calls of the engine to the native plugin, in the engine's own JSON, and their comparison. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isObject, type Properties } from "../../provider/values";

/** One call of the engine, with the plugin's response. */
export interface Call {
  method: string;
  request: Properties;
  response: Properties;
}

/** Names of the recordings: the life of each resource type, and those of the examples in other languages. */
export const traces = ["life", "yaml", "python"] as const;
export type Trace = (typeof traces)[number];

const traceFile = (trace: Trace): string => join(__dirname, `../fixtures/protocol/${trace}.json`);

/** Writes recordings instead of comparing with them. */
const update = process.env["UPDATE_TRACE"] === "1";

/** Options of the emulator for recordings and replays. */
export const traceEmulator = { agents: 6, transferDelayMs: 0 };

/** Methods about resources and functions. */
const recordedMethods = new Set(["Check", "Diff", "Create", "Read", "Update", "Delete", "Invoke"]);

/** Returns the calls in an engine's log, without those about the provider as a whole, as one list for each operation. */
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

/** Returns properties of a call without values of one run: URLs, seeds and times. */
function portable({
  randomSeed: _seed,
  resourceStatusAddress: _address,
  resourceStatusToken: _token,
  ...call
}: Properties): Properties {
  const text = JSON.stringify(call).replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "2026-01-01T00:00:00Z");
  return JSON.parse(text) as Properties;
}

/** Returns the recording for an emulator. */
export function recorded(trace: Trace, emulatorUrl: string): Call[][] {
  return JSON.parse(readFileSync(traceFile(trace), "utf8").replaceAll("{emulator}", emulatorUrl)) as Call[][];
}

/** Returns an engine's calls in each operation, one line for each. The order of independent resources may differ. */
export function asked(operations: Call[][]): string[][] {
  return operations.map((calls) =>
    calls.map(({ method, request }) => `${method} ${String(request["urn"] ?? request["tok"])}`).toSorted(),
  );
}

/** Returns the calls in an engine's log. With UPDATE_TRACE=1, it first records them. */
export function callsInLog(trace: Trace, log: string, emulatorUrl: string): Call[][] {
  const operations = callsIn(log, emulatorUrl);
  if (update) {
    const lines = operations.map((calls) => `[\n${calls.map((call) => JSON.stringify(call)).join(",\n")}\n]`);
    mkdirSync(dirname(traceFile(trace)), { recursive: true });
    writeFileSync(traceFile(trace), `[\n${lines.join(",\n")}\n]\n`);
  }
  return operations;
}

/** Returns a response in the form of a trace: without empty members and times. */
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
