/** Recorded calls of the engine to the native plugin, in the engine's own JSON, and how they are compared. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, type Properties } from "../../provider/values";

/** One call of the engine, with the plugin's answer. */
export interface Call {
  method: string;
  request: Properties;
  response: Properties;
}

/** File of the recorded life of each kind. */
export const traceFile = join(__dirname, "../fixtures/protocol/life.json");

/** The emulator that a trace is recorded and replayed against. */
export const traceEmulator = { agents: 6, transferDelayMs: 0 };

/** Methods about resources: those that have a kind. */
const ofResources = new Set(["Check", "Diff", "Create", "Read", "Update", "Delete"]);

/** Calls in the log of an engine, without those about the provider as a whole, one list an operation. */
export function callsIn(log: string, emulatorUrl: string): Call[][] {
  const operations: Call[][] = [];
  const lines = log.replaceAll(emulatorUrl, "{emulator}").trim().split("\n");
  for (const line of lines) {
    const { method = "", request = {}, response = {}, progress } = JSON.parse(line) as Partial<Call> & { progress?: string };
    const [, service, name = ""] = method.split("/");
    if (service !== "pulumirpc.ResourceProvider" || progress !== "response_completed") continue;
    if (name === "Handshake") operations.push([]);
    if (ofResources.has(name))
      operations.at(-1)?.push({ method: name, request: portable(request), response: portable(response) });
  }
  return operations;
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

/** The recorded life, against an emulator. */
export function recordedLife(emulatorUrl: string): Call[][] {
  return JSON.parse(readFileSync(traceFile, "utf8").replaceAll("{emulator}", emulatorUrl)) as Call[][];
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
