/** Counts the engine's calls to the provider, and the provider's requests to the service, if nothing changed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fronts, type Program, Stack } from "./support/stack";

const names = ["one", "two", "three"];
const program: Program = Object.fromEntries(
  names.map((name) => [name, { kind: "Label", args: { name, matchType: "or", filters: [] } }]),
);

/** Returns the number of calls to the labels' provider by method: as `Method name` for a label, and otherwise as `Method`. */
function callsIn(log: string): Record<string, number> {
  const calls: Record<string, number> = {};
  for (const line of log.trim().split("\n")) {
    const { method, request, progress } = JSON.parse(line) as { method: string; request?: { urn?: string }; progress?: string };
    const [, service, name = ""] = method.split("/");
    if (service !== "pulumirpc.ResourceProvider" || progress !== "response_completed") continue;
    const label = /Label::(.*)$/.exec(request?.urn ?? "")?.[1];
    const key = label === undefined ? name : `${name} ${label}`;
    calls[key] = (calls[key] ?? 0) + 1;
  }
  return calls;
}

const eachOnce = (...methods: string[]): Record<string, number> =>
  Object.fromEntries(methods.flatMap((method) => names.map((name) => [`${method} ${name}`, 1])));

it.each(fronts)("an update without changes calls check and diff once for each resource: %s", async (front) => {
  const stack = await Stack.startWith(front);
  try {
    stack.declare(program);
    await stack.must("up", "--yes", "--skip-preview");
    await stack.requests();
    for (const [i, args] of [["preview"], ["up", "--yes", "--skip-preview"]].entries()) {
      const log = join(stack.folder, `grpc-${i}.json`);
      stack.environment["PULUMI_DEBUG_GRPC"] = log;
      await stack.must(...args);
      const calls = callsIn(readFileSync(log, "utf8"));
      expect(calls).toMatchObject(eachOnce("Check", "Diff"));
      expect(Object.keys(calls).filter((call) => call.includes(" "))).toHaveLength(2 * names.length);
      // The schema has 300 kB.
      expect(calls).not.toHaveProperty("GetSchema");
      expect(await stack.requests()).toEqual({});
    }
  } finally {
    await stack.end();
  }
});
