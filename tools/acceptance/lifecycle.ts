import { registry } from "../../provider/registry";
import { type Program, Stack } from "../../test/real/support/stack";
import { prefix } from "./ask";
import type { Difference } from "./compare";
import { startRelay } from "./relay";
import type { Session } from "./session";
import type { Finding } from "./suite";

/** Agent selection of tests: the stack's label, which matches no agents. */
const nobody = { agentSelectorType: "agent-labels", endpointAgentLabels: [{ $id: "label" }] };
const labelArgs = { matchType: "or", filters: [{ key: "hostname", mode: "in", values: ["pem-acceptance-nobody"] }] };

interface Life {
  readonly kind: string;
  readonly args: object;
  readonly change?: object;
  /** Request body that changes the record without the engine. */
  readonly drift?: object;
  /** HTTP method of an update. The default is PATCH. */
  readonly method?: "PUT";
  /** Path of the resource type's records; undefined for resources without records. */
  readonly path?: string;
}

/** One resource of each type for the lifecycle check. The tests select a label without agents. */
const lives: Readonly<Record<string, Life>> = {
  label: {
    kind: "Label",
    args: { name: `${prefix}life label`, ...labelArgs },
    change: { color: "#336699" },
    drift: { matchType: "and" },
    path: "/v7/endpoint/labels",
  },
  tag: {
    kind: "EndpointAgentTag",
    args: { key: `${prefix}life tag`, value: "yes", ...labelArgs },
    change: { color: "#336699" },
    drift: {
      objectType: "endpoint-agent",
      type: "dynamic",
      accessType: "all",
      key: `${prefix}life tag`,
      value: "drifted",
      ...labelArgs,
    },
    path: "/v7/tags",
    // An update of a tag must send the whole record.
    method: "PUT",
  },
  agentToServer: {
    kind: "AgentToServerTest",
    args: { testName: `${prefix}life network`, server: "www.example.com", ...nobody },
    change: { interval: 300, isEnabled: false },
    drift: { testName: `${prefix}life network drifted`, port: 443 },
    path: "/v7/endpoint/tests/scheduled-tests/agent-to-server",
  },
  httpServer: {
    kind: "HttpServerTest",
    args: { testName: `${prefix}life http`, url: "https://www.example.com", ...nobody },
    change: { interval: 300 },
    drift: { testName: `${prefix}life http drifted` },
    path: "/v7/endpoint/tests/scheduled-tests/http-server",
  },
  dynamic: {
    kind: "DynamicTest",
    args: { testName: `${prefix}life dynamic`, application: "webex", ...nobody },
    change: { interval: 300 },
    drift: { testName: `${prefix}life dynamic drifted` },
    path: "/v7/endpoint/tests/dynamic-tests/agent-to-server",
  },
  instantNetwork: {
    kind: "AgentToServerInstantTest",
    args: { testName: `${prefix}life instant`, server: "www.example.com", ...nobody },
  },
  instantHttp: {
    kind: "HttpServerInstantTest",
    args: { testName: `${prefix}life instant http`, url: "https://www.example.com", ...nobody },
  },
  run: { kind: "TestRun", args: { testId: { $id: "agentToServer" } } },
};

/** Reasons why a resource type has no lifecycle check. */
const left: Readonly<Record<string, string>> = {
  EndpointAgent: "it requires an agent that may be changed (--agent ID)",
  AgentTransfer: "it would move a real agent out of the account group",
};

/**
 * Runs the lifecycle of each resource type on the Pulumi engine: create, preview without changes, update, drift, fix, destroy.
 * A reported difference names the failed part of the lifecycle.
 */
export async function runLifecycles(session: Session, note: (text: string) => void = () => undefined): Promise<Finding[]> {
  const { agentId } = session.access;
  const all: Readonly<Record<string, Life>> = {
    ...lives,
    ...(agentId !== undefined && { agent: { kind: "EndpointAgent", args: { agentId } } }),
  };
  const wrong = new Map<string, Difference[]>();
  const from = session.exchanges.length;
  const stack = await Stack.start({ agents: 0 });
  const relay = await startRelay(session, "lifecycle");
  const blame = (name: string, at: string, emulator: unknown, service: unknown): void => {
    const kind = all[name]?.kind ?? name;
    wrong.set(kind, [...(wrong.get(kind) ?? []), { at, emulator, service }]);
  };
  const declare = (over: "args" | "change"): void => {
    const program = Object.entries(all).map(([name, life]) => [
      name,
      { kind: life.kind, args: { ...life.args, ...(over === "change" && life.change) } },
    ]);
    stack.declare(Object.fromEntries(program) as Program);
  };
  /** Returns the planned steps of a preview that should plan no steps. */
  const nothingLeft = async (step: string): Promise<void> => {
    for (const { op, name } of await stack.preview()) blame(name, `preview ${step}`, "same", op);
  };
  let failed: string | undefined;
  try {
    stack.configure({ baseUrl: relay.url, accountGroupId: session.access.accountGroupId });
    declare("args");
    note("engine: create");
    await stack.up();
    await nothingLeft("after create");
    declare("change");
    note("engine: change");
    await stack.up();
    await nothingLeft("after change");
    note("engine: drift");
    const state = stack.state();
    for (const [name, { path, drift, method = "PATCH" }] of Object.entries(lives)) {
      if (path === undefined || drift === undefined) continue;
      const query = { aid: session.access.accountGroupId };
      const { status } = await session.send("lifecycle", {
        method,
        path: `${path}/${state[name]?.id}`,
        query,
        body: drift,
      });
      if (status !== 200) blame(name, "change behind the engine's back", 200, status);
    }
    await stack.refresh();
    const drifted = new Set((await stack.preview()).map(({ name }) => name));
    for (const [name, { drift }] of Object.entries(lives))
      if (drift && !drifted.has(name)) blame(name, "preview after drift", "update", "same");
    await stack.up();
    await nothingLeft("after reconciling");
    note("engine: delete");
    await stack.destroy();
    for (const [name, { path }] of Object.entries(lives)) {
      if (path === undefined) continue;
      const query = { aid: session.access.accountGroupId };
      const { status } = await session.send("lifecycle", { method: "GET", path: `${path}/${state[name]?.id}`, query });
      if (status !== 404) blame(name, "get after delete", 404, status);
    }
  } catch (error) {
    failed = error instanceof Error ? error.message : String(error);
  } finally {
    await relay.close();
    await stack.end();
    await session.clean("lifecycle");
  }
  const exchanges = session.exchanges.slice(from);
  const kinds = Object.values(registry).map(({ name }) => name);
  // The engine starts each diagnostic with the type and name of the resource.
  const blamed = kinds.filter((kind) => failed?.includes(`endpoint-monitoring:${kind} (`));
  return kinds.map((kind): Finding => {
    const known = {
      id: `lifecycle of ${kind}`,
      part: "lifecycle",
      topic: "create, no-op, change, drift, delete",
      file: "emulator/routes",
    } as const;
    if (!Object.values(all).some((life) => life.kind === kind))
      return { ...known, outcome: "unknown", reason: left[kind] ?? "the checks have no case for it" };
    const differences = [...(wrong.get(kind) ?? [])];
    if (failed !== undefined && (blamed.length === 0 || blamed.includes(kind))) {
      differences.push({ at: "engine", emulator: "succeeds", service: failed });
    }
    if (differences.length > 0) return { ...known, outcome: "differs", differences, exchanges };
    if (failed !== undefined) return { ...known, outcome: "unknown", reason: "the engine failed at another resource type" };
    return { ...known, outcome: "agreed" };
  });
}
