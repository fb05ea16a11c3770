/**
 * Tests values in a state or program that no resource type allows. The provider reports the position of the value or reads the
 * record again, and never crashes.
 */
import type { DynamicProvider } from "../../provider/dynamic";
import { type KindName, type RecordKindName, registry } from "../../provider/registry";
import type { Properties } from "../../provider/values";
import { changeInPlace, kindCases } from "../support/kinds";
import { hosted } from "../provider/bench";
import { skipIdleTime } from "../support/idle-time";
import { useEmulator } from "../support/emulator";

skipIdleTime();

const service = useEmulator();

const provider = (kind: KindName): DynamicProvider => hosted(service.emulator, kind);
const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "no failure",
    (error: unknown) => error,
  );
const nested = (levels: number): unknown => {
  let value: unknown = "zzz-secret-zzz";
  for (let i = 0; i < levels; i += 1) value = i % 2 === 0 ? [value] : { a: value };
  return value;
};
const office = { name: "Office", matchType: "or", filters: [{ key: "platform", values: ["Mac"] }] };
const portal = { testName: "Portal", url: "https://www.example.com", authType: "basic", username: "u", password: "p4ssword" };

it("the provider's check reports an excessively nested value together with other mistakes", async () => {
  const { failures } = await provider("label").check({}, { ...office, color: "blue", filters: nested(50_000) });
  expect(failures.map(({ reason }) => reason)).toEqual([
    "filters is nested deeper than 100 levels",
    "color must be a color such as #d9d9d9",
  ]);
});

it("the provider's check accepts valid inputs even if the old inputs are nested too deeply", async () => {
  const { failures } = await provider("label").check({ ...office, filters: nested(50_000) }, office);
  expect(failures).toEqual([]);
});

describe.each<[string, KindName, Properties, Properties, string]>([
  ["a hole in a list", "label", office, { filters: [null] }, "filters[0] has no value"],
  ["text for a list", "label", office, { filters: "x" }, "filters must be a list, not a string"],
  ["a list for text", "label", office, { name: ["Office"] }, "name must be a string, not a list"],
  ["a value that is nested too deeply", "label", office, { filters: nested(50_000) }, "filters[0] has no value"],
  ["an object in a list of text", "httpServerTest", portal, { agents: [{}] }, "agents[0] must be a string, not an object"],
  ["a number for a password", "httpServerTest", portal, { password: 5 }, "password must be a string, not a number"],
])("a damaged state with %s", (_name, kind, declared, damage, place) => {
  const made = async (): Promise<{ of: DynamicProvider; id: string; inputs: Properties; damaged: Properties }> => {
    const of = provider(kind);
    const { inputs } = await of.check({}, declared);
    const { id, outs } = await of.create({ ...inputs, adopt: true });
    return { of: provider(kind), id, inputs, damaged: { ...outs, ...damage } };
  };

  it("diff and update show where the state is damaged and how to repair the damage", async () => {
    const { of, id, inputs, damaged } = await made();
    for (const error of [await failure(of.diff(id, damaged, inputs)), await failure(of.update(id, damaged, inputs))]) {
      expect(error).toMatchObject({ stack: "" });
      expect((error as Error).message).toBe(
        `The state of the ${registry[kind].noun} ${id} is damaged: ${place}. Run \`pulumi refresh\`, which reads the record again from the service. Then run the operation again.`,
      );
    }
  });

  it("a refresh repairs a damaged state", async () => {
    const { of, id, inputs, damaged } = await made();
    const fresh = await of.read(id, damaged);
    // The service never returns this value, so it is unknown again. Declaring it only updates the state.
    const recorded = kind === "httpServerTest" && "password" in damage;
    expect(await of.diff(id, fresh.props, inputs)).toMatchObject({ changes: recorded, replaces: [] });
    await of.diff(id, fresh.props, { ...inputs, ...damage });
  });

  it("destroy deletes the record of a damaged resource", async () => {
    const { of, id, damaged } = await made();
    await of.delete(id, damaged);
    expect(await of.read(id, damaged)).toEqual({ id: "", props: {} });
  });
});

it("a refresh of a damaged AgentTransfer keeps the valid transfers", async () => {
  const whole = { agentId: "nobody", fromAid: "1001", toAid: "1002" };
  const of = provider("agentTransfer");
  expect(await of.read("t1", { transfers: "x", outcomes: [] })).toMatchObject({ id: "t1", props: { outcomes: [] } });
  expect((await of.read("t1", { transfers: [{ agentId: "half" }, whole], outcomes: [] })).props["transfers"]).toEqual([]);
  await of.delete("t1", { transfers: "x" });
});

it("destroy leaves an agent unchanged if the state has an unknown onDestroy value", async () => {
  const agents = (): Promise<{ agents: { id: string }[] }> => service.call("GET", "/v7/endpoint/agents?aid=1001");
  const before = await agents();
  const agentId = before.agents[0]?.id ?? "";
  await provider("endpointAgent").delete(agentId, { agentId, accountGroupId: "1001", onDestroy: "explode" });
  expect((await agents()).agents[0]).toMatchObject({ id: agentId, status: "enabled" });
});

it.each<[string, (of: DynamicProvider, id: string) => Promise<unknown>]>([
  ["read", (of, id) => of.read(id, office)],
  ["update", (of, id) => of.update(id, office, { ...office, name: "B" })],
  ["delete", (of, id) => of.delete(id, office)],
])("the operation %s rejects an id with characters that a URL path cannot contain", async (_name, work) => {
  const error = await failure(work(provider("label"), "\ud800"));
  const message = expect.stringContaining(
    "id: the value is not valid Unicode, because it contains an unpaired surrogate",
  ) as string;
  expect(error).toMatchObject({ stack: "", message });
});

it.each(Object.entries(kindCases))(
  "the provider's diff does not report a valid state of a %s as damaged",
  async (kind, { full }) => {
    const { property, to } = changeInPlace(kind as RecordKindName);
    const of = provider(kind as KindName);
    const { inputs, failures } = await of.check({}, full);
    expect(failures).toEqual([]);
    const { id, outs } = await of.create(inputs);
    expect(
      await of.diff(id, { ...outs, [property]: to, matchType: "neither", interval: 17, ipVersion: "V9", port: -1 }, inputs),
    ).toMatchObject({
      changes: true,
    });
  },
);
