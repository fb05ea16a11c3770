/**
 * Runs today's code with the state of a previous release (`npm run state-fixture` creates it). A new version of the package
 * must change nothing by itself.
 */
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Program, type StateResource, Stack } from "./support/stack";
import { temporary } from "../support/temporary";

const fixtures = join(__dirname, "../fixtures/state");
const versions = readdirSync(fixtures).filter((name) => existsSync(join(fixtures, name, "state.json")));

/** A change of each resource of program.json, and its operation. A new type also needs a line here. */
const changes: Record<string, { args: object; op: "update" | "replace" }> = {
  office: { args: { name: "Offices" }, op: "update" },
  gateway: { args: { isEnabled: true }, op: "update" },
  portal: { args: { password: { $secret: "secondPassword" } }, op: "replace" },
  minimal: { args: { interval: 900 }, op: "update" },
  meetings: { args: { testName: "Calls" }, op: "update" },
  "branch-label": { args: { color: "#ff0000" }, op: "update" },
  kiosk: { args: { agentName: "Kiosk in the lobby" }, op: "update" },
  "to-the-branch": {
    args: { transfers: [{ agentId: "3e501051-acff-49da-be91-109819a067c1", fromAid: "1002", toAid: "1001" }] },
    op: "update",
  },
  path: { args: { expect: { maxLoss: 100 } }, op: "update" },
  gate: { args: { triggers: ["2"] }, op: "replace" },
  "first-round": { args: { triggers: ["2"] }, op: "replace" },
};

describe.each(versions)("the state of release %s", (version) => {
  const read = (name: string): string => readFileSync(join(fixtures, version, name), "utf8");
  const program = JSON.parse(read("program.json")) as Program;
  let stack: Stack;
  let folder: string;
  let imported: Record<string, StateResource>;

  beforeAll(async () => {
    folder = temporary();
    const dataFile = join(folder, "emulator.db");
    copyFileSync(join(fixtures, version, "emulator.db"), dataFile);
    stack = await Stack.start({ dataFile, transferDelayMs: 0 });
    await stack.secret("password", "first-passw0rd");
    await stack.secret("secondPassword", "second-passw0rd");
    stack.declare(program);
    // Its secrets are encrypted with the passphrase of each stack in tests, "test", and a salt in the file.
    writeFileSync(join(folder, "state.json"), read("state.json").replaceAll("{emulator}", stack.emulator.url));
    await stack.must("stack", "import", "--file", join(folder, "state.json"));
    imported = stack.state();
  });
  afterAll(() => stack.end());

  it("a refresh of the imported state finds no drift", async () => {
    expect(Object.keys(imported).toSorted()).toEqual(Object.keys(program).toSorted());
    expect(await stack.refresh()).toEqual({ same: Object.keys(program).length });
    const after = stack.state();
    for (const [name, { id, outputs }] of Object.entries(imported)) {
      const { password: _encryptedAnew, ...others } = outputs;
      expect(after[name]).toMatchObject({ id, outputs: others });
    }
  });

  it("a preview of the imported state shows no changes", async () => {
    expect(await stack.preview()).toEqual([]);
  });

  it("an update makes only the declared changes", async () => {
    const entries = Object.entries(program).map(([name, resource]) => [
      name,
      { ...resource, args: { ...resource.args, ...changes[name]?.args } },
    ]);
    stack.declare(Object.fromEntries(entries) as Program);
    const steps = (await stack.preview()).filter(({ op }) => op === "update" || op === "replace");
    expect(Object.fromEntries(steps.map(({ name, op }) => [name, op]))).toEqual(
      Object.fromEntries(Object.keys(program).map((name) => [name, changes[name]?.op])),
    );
    await stack.requests();
    await stack.up();
    const made = Object.entries(await stack.requests()).filter(([operation]) => /create|instant|run|delete/.test(operation));
    expect(Object.fromEntries(made)).toEqual({
      "tests.httpServer.create": 1,
      "tests.httpServer.delete": 1,
      "tests.httpServer.instant": 1,
      "tests.run": 1,
    });
    expect(await stack.preview()).toEqual([]);
    const after = stack.state();
    const updated = Object.keys(program).filter((name) => changes[name]?.op === "update");
    for (const name of updated) expect([name, after[name]?.id]).toEqual([name, imported[name]?.id]);
  });

  it("destroy deletes all records of the imported state", async () => {
    await stack.destroy();
    expect(stack.state()).toEqual({});
    for (const collection of ["labels", "agent-to-server-tests", "http-server-tests", "dynamic-tests"]) {
      expect([collection, await stack.ids(collection)]).toEqual([collection, []]);
    }
  });
});
