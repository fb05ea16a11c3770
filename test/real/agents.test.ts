/** One program contains agents of both provider types, so that an engine operation covers both types. */
import { type Declared, type Front, fronts, type Program, type Step, Stack } from "./support/stack";

interface Agent {
  id: string;
  aid: string;
  name: string;
  status: string;
}

const both = fronts.length;
let stack: Stack;
let fleet: Agent[];
const agentOf = async (id: string, aid: string): Promise<Agent> =>
  (await (await stack.api("GET", `/v7/endpoint/agents/${id}?aid=${aid}`)).json()) as Agent;
/** Id of an agent that only one front manages. */
const idOf = (front: Front, index: number): string => fleet[index + 10 * fronts.indexOf(front)]?.id ?? "";
const nameOf = (front: Front, name: string): string => `${front}-${name}`;

beforeAll(async () => {
  stack = await Stack.startWith("native", { agents: 200, transferDelayMs: 50 });
  ({ agents: fleet } = (await (await stack.api("GET", "/v7/endpoint/agents?aid=1001&max=1000")).json()) as {
    agents: Agent[];
  });
});
afterAll(() => stack.end());

/** Returns resources of both fronts for the arguments of one front. */
const ofBoth = (
  declared: (front: Front) => Record<string, Omit<Declared, "kind" | "front">>,
  kind = "EndpointAgent",
): Program =>
  Object.fromEntries(
    fronts.flatMap((front) =>
      Object.entries(declared(front)).map(([name, resource]) => [nameOf(front, name), { ...resource, kind, front }]),
    ),
  );
const kiosk = { agentName: "Kiosk", enabled: true };
const agent = (front: Front, index: number, args: object) => ({ args: { agentId: idOf(front, index), ...args } });

describe("adopted agents", () => {
  let sent: Record<string, number>;
  let again: Record<string, number>;
  let refreshed: Record<string, number>;
  beforeAll(async () => {
    stack.declare(
      ofBoth((front) => ({
        kiosk: agent(front, 1, kiosk),
        moving: agent(front, 2, { agentName: "Moving", enabled: false }),
        drifting: agent(front, 3, { agentName: "Drifting", accountGroupId: "1002" }),
        replaced: agent(front, 4, { agentName: "Replaced" }),
        deleted: agent(front, 5, { onDestroy: "delete" }),
      })),
    );
    await stack.up();
    await stack.requests();
    again = await stack.up();
    sent = await stack.requests();
    for (const front of fronts) {
      await stack.api("PATCH", `/v7/endpoint/agents/${idOf(front, 3)}?aid=1002`, { name: "Drifted" });
      await stack.api("DELETE", `/v7/endpoint/agents/${idOf(front, 5)}?aid=1001`);
    }
    refreshed = await stack.refresh();
  });

  it.each(fronts)("a second update of adopted agents changes nothing with %s resources", async (front) => {
    expect(await agentOf(idOf(front, 1), "1001")).toMatchObject({ name: "Kiosk", status: "enabled" });
    expect([again, sent]).toEqual([{ same: 5 * both }, {}]);
  });

  it.each(fronts)("a refresh of %s resources finds changed and deleted agents", (front) => {
    expect(refreshed).toEqual({ update: both, delete: both, same: 3 * both });
    const { [nameOf(front, "drifting")]: drifting, [nameOf(front, "deleted")]: deleted } = stack.state();
    expect([drifting?.outputs["agentName"], deleted]).toEqual(["Drifted", undefined]);
  });
});

describe("one update of several agents", () => {
  let steps: Step[];
  const changed = (): Program =>
    ofBoth((front) => ({
      kiosk: agent(front, 1, { ...kiosk, enabled: false }),
      moving: agent(front, 2, { agentName: "Moving", enabled: false, accountGroupId: "1002" }),
      drifting: agent(front, 3, { agentName: "Drifting", accountGroupId: "1002" }),
      replaced: agent(front, 6, { onDestroy: "delete" }),
    }));
  beforeAll(async () => {
    stack.declare(changed());
    steps = await stack.preview();
    await stack.up();
  });

  describe.each(fronts)("agents of %s resources", (front) => {
    const stepsOf = (name: string) => steps.filter((step) => step.name === nameOf(front, name));

    it("an update changes one property of an agent", async () => {
      expect(stepsOf("kiosk")).toMatchObject([{ op: "update" }]);
      expect(await agentOf(idOf(front, 1), "1001")).toMatchObject({ name: "Kiosk", status: "disabled" });
    });

    it("an update transfers an agent in place", async () => {
      expect(stepsOf("moving")).toMatchObject([{ op: "update" }]);
      expect(await agentOf(idOf(front, 2), "1002")).toMatchObject({ name: "Moving", aid: "1002" });
    });

    it("an update fixes the drift of an agent", async () => {
      expect(stepsOf("drifting")).toMatchObject([{ op: "update" }]);
      expect(await agentOf(idOf(front, 3), "1002")).toMatchObject({ name: "Drifting" });
    });

    it("a new agentId replaces the resource and keeps the previous agent", async () => {
      expect(stepsOf("replaced")).toContainEqual(expect.objectContaining({ op: "replace", replaceReasons: ["agentId"] }));
      expect(stack.state()[nameOf(front, "replaced")]?.id).toBe(idOf(front, 6));
      await agentOf(idOf(front, 4), "1001");
    });
  });
});
