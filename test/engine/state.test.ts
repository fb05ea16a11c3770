import { records, type RecordKindName } from "../../provider/registry";
import { kindCases } from "../support/kinds";
import { type Program, Stack } from "./support/stack";

const operations: Record<RecordKindName, string> = {
  label: "labels",
  agentToServerTest: "tests.agentToServer",
  httpServerTest: "tests.httpServer",
  dynamicTest: "tests.dynamic",
};

describe("state", () => {
  let stack: Stack;
  const program: Program = Object.fromEntries(
    Object.values(kindCases).map(({ className, full }) => [className, { kind: className, args: full }]),
  );
  beforeAll(async () => {
    stack = await Stack.start();
  }, 300_000);
  afterAll(() => stack.end());

  /** Has answers of an area leave members out. */
  const omit = async (area: string, members: string[]): Promise<void> => {
    for (const verb of ["create", "update", "get", "list"]) {
      await fetch(`${stack.emulator.url}/_emulator/omit`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ operation: `${area}.${verb}`, members }),
      });
    }
  };

  it("loses nothing when answers leave members out", async () => {
    for (const [name, { full }] of Object.entries(kindCases)) {
      const area = operations[name as RecordKindName];
      const members = [...Object.keys(full), "agentSelectorConfig", "aid", "_links", "createdDate"].filter(
        // A record without its name could not be listed among the resources; everything else may be absent.
        (member) => member !== records[name as RecordKindName].nameProperty,
      );
      await omit(area, members);
    }
    stack.declare(program);
    await stack.up();
    const check = async (): Promise<void> => {
      const state = stack.state();
      for (const { className, full } of Object.values(kindCases)) {
        const { password, ...rest } = full;
        expect(state[className]?.outputs).toMatchObject(rest);
        expect(state[className]?.outputs["password"] === undefined).toBe(password === undefined);
      }
    };
    await check();
    expect(await stack.refresh()).toEqual({ same: 4 });
    await check();
    expect(await stack.up()).toEqual({ same: 4 });
  }, 300_000);

  const reading: Program = {};
  it("is read by get, with every output", async () => {
    for (const [name, { className, path, full }] of Object.entries(kindCases)) {
      await omit(operations[name as RecordKindName], []);
      const { accountGroupId: _, isEnabled: __, ...body } = full;
      // What the other case creates would be its twin.
      const declared = { ...body, [records[name as RecordKindName].nameProperty]: "Read" };
      const answer = (await (await stack.api("POST", path, declared)).json()) as { id?: string; testId?: string };
      const hidden = new Set(["password", "targetResponseTime", "isEnabled", "tcpProbeMode"]);
      reading[`${className}-read`] = {
        kind: className,
        get: answer.id ?? answer.testId ?? "",
        show: Object.keys(full).filter((property) => !hidden.has(property)),
      };
    }
    stack.declare({ ...program, ...reading });
    await stack.must("up", "--yes", "--skip-preview");
    const { stdout } = await stack.must("stack", "output", "--json");
    const outputs = JSON.parse(stdout) as Record<string, unknown>;
    for (const [name, { className, full }] of Object.entries(kindCases)) {
      const declared: Record<string, unknown> = { ...full, [records[name as RecordKindName].nameProperty]: "Read" };
      for (const property of reading[`${className}-read`]?.show ?? []) {
        const output = `${className}-read.${property}`;
        expect({ [output]: outputs[output] }).toEqual({ [output]: declared[property] });
      }
    }
  }, 300_000);

  it("that was read does not claim the record", async () => {
    await stack.destroy();
    for (const { collection } of Object.values(kindCases)) expect(await stack.ids(collection)).toHaveLength(1);
  }, 300_000);
});
