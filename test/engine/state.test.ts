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
  }, 60_000);
  afterAll(() => stack.end());

  it("loses nothing when answers leave members out", async () => {
    for (const [name, { full }] of Object.entries(kindCases)) {
      const area = operations[name as RecordKindName];
      const members = [...Object.keys(full), "agentSelectorConfig", "aid", "_links", "createdDate"].filter(
        // A record without its name could not be listed among the resources; everything else may be absent.
        (member) => member !== records[name as RecordKindName].nameProperty,
      );
      for (const verb of ["create", "update", "get", "list"]) {
        await fetch(`${stack.emulator.url}/_emulator/omit`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ operation: `${area}.${verb}`, members }),
        });
      }
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
    await stack.destroy();
  }, 60_000);

  it("is read by get, with every output, and without claiming the record", async () => {
    const bare = await Stack.start();
    try {
      const made: Record<string, string> = {};
      for (const { className, path, full } of Object.values(kindCases)) {
        const { accountGroupId: _, isEnabled: __, ...body } = full;
        const answer = (await (await bare.api("POST", path, body)).json()) as { id?: string; testId?: string };
        made[className] = answer.id ?? answer.testId ?? "";
      }
      const reading: Program = Object.fromEntries(
        Object.values(kindCases).map(({ className, full }) => [
          className,
          {
            kind: className,
            get: made[className],
            show: Object.keys(full).filter(
              (name) => name !== "password" && name !== "targetResponseTime" && name !== "isEnabled" && name !== "tcpProbeMode",
            ),
          },
        ]),
      );
      bare.declare(reading);
      await bare.must("up", "--yes", "--skip-preview");
      const { stdout } = await bare.must("stack", "output", "--json");
      const outputs = JSON.parse(stdout) as Record<string, unknown>;
      for (const { className, full } of Object.values(kindCases)) {
        for (const name of reading[className]?.show ?? []) {
          expect({ [`${className}.${name}`]: outputs[`${className}.${name}`] }).toEqual({
            [`${className}.${name}`]: full[name],
          });
        }
      }
      await bare.destroy();
      for (const { collection } of Object.values(kindCases)) expect(await bare.ids(collection)).toHaveLength(1);
    } finally {
      await bare.end();
    }
  }, 60_000);
});
