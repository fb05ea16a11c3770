/** Tests two resources of a stack with the same record, as an interrupted adoption leaves them (docs/recovery.md). */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { managedIn } from "../../engine/state";
import { sameRecord } from "../../plan/same-record";
import { typeToken } from "../../sdk/token";
import { runCommand } from "../support/command";
import { AnsweringEngine, answersOf } from "../support/answering-engine";
import { temporary } from "../support/temporary";
import { useEmulator } from "../support/emulator";

const type = typeToken("Label");
const inputs = { name: "Office", matchType: "or", filters: [{ key: "asn", mode: "in", values: ["64512"] }] };

function resource(name: string, more: object = {}): Record<string, unknown> {
  const urn = `urn:pulumi:dev::test::${type}::${name}`;
  return { urn, type, custom: true, id: "400000000000001", inputs, outputs: { ...inputs, accountGroupId: "1001" }, ...more };
}
const old = resource("old's", { created: "2026-01-01T00:00:00Z" });
const renamed = resource("new", { created: "2026-02-01T00:00:00Z" });
const message =
  "old's and new of stack dev both manage label 400000000000001. An interrupted adoption can cause this. An update or " +
  "destroy of only one of these resources (--target) can delete the record of the other resource";
const fix =
  "run pulumi up for the whole program, which removes the undeclared resource from state. If that is not possible, remove only that resource " +
  `from state: pulumi state delete 'urn:pulumi:dev::test::${type}::old'\\''s' --stack dev`;

let folder: string;
const emulator = useEmulator({ agents: 1 });
beforeAll(() => emulator.create("/v7/endpoint/labels", inputs));
beforeEach(() => (folder = temporary()));

/** Runs a command on a stack with these resources. */
async function run(resources: readonly object[], ...args: string[]) {
  writeFileSync(join(folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
  const engine = new AnsweringEngine(
    folder,
    answersOf({
      version: "v3.259.0",
      "stack ls": [{ name: "dev", current: true }],
      "stack export": { deployment: { resources } },
      "config --json": {},
    }),
  );
  const env = engine.env(emulator.env);
  const ended = await runCommand([...args, "--json"], { cwd: folder, env });
  engine.end();
  return ended;
}

interface Checked {
  data: { findings: { rule: string; level: string; text: string; fix?: string }[] };
}

test("check names the command that removes one of two resources with the same record", async () => {
  for (const resources of [
    [old, renamed],
    [renamed, old],
  ]) {
    const { data } = JSON.parse((await run(resources, "check")).stdout) as Checked;
    expect(data.findings).toContainEqual({ rule: "state", level: "warning", text: message, fix });
  }
});

test("`check` shows one case of resources that share a record and counts the other cases", async () => {
  const tests = ["a", "b"].map((name) => resource(name, { id: "400000000000002" }));
  const several = JSON.parse((await run([old, renamed, ...tests], "check")).stdout) as Checked;
  expect(several.data.findings).toContainEqual({
    rule: "state",
    level: "warning",
    text: `${message}; 1 similar case more`,
    fix,
  });
  const none = JSON.parse((await run([old], "check")).stdout) as Checked;
  expect(none.data.findings).toContainEqual({
    rule: "state",
    level: "passed",
    text: "1 resource of this package, and its secrets can be decrypted",
  });
});

test("drift and check describe two resources with the same record in the same words", async () => {
  const { stdout } = await run([old, renamed], "drift", "--no-unmanaged");
  expect((JSON.parse(stdout) as { warnings: string[] }).warnings).toEqual([`${message}. To fix it: ${fix}`]);
});

test("check ignores test runs, external resources and resources with a pending deletion", () => {
  const runs = ["a", "b"].map((name) => ({
    ...resource(name, { id: "7" }),
    type: typeToken("TestRun"),
    urn: `urn:pulumi:dev::test::${typeToken("TestRun")}::${name}`,
  }));
  const resources = [old, resource("read", { external: true }), resource("leaving", { delete: true }), ...runs];
  expect(sameRecord(managedIn("dev", { deployment: { resources } }))).toEqual([]);
  expect(sameRecord(managedIn("dev", { deployment: { resources: [...resources, renamed] } }))).toHaveLength(1);
});
