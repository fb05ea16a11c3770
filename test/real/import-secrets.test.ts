/** The service never returns passwords. Import treats them as unknown until a user supplies them, and no output shows them. */
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { secretSignature, signatureKey } from "../../provider/values";
import { compilerSays, sourcesIn } from "./support/checked";
import { EngineWrapper } from "./support/engine-wrapper";
import { create } from "./support/fleet";
import { Stack } from "./support/stack";

let stack: Stack;
const [first, second] = ["-first passw0rd\n", 'second "passw0rd" $HOME'];
const httpTest = (testName: string, authType: string): Record<string, unknown> => ({
  testName,
  url: "https://www.example.com",
  authType,
  ...(authType === "none" ? {} : { username: "probe", password: "in-the-service" }),
});

beforeAll(async () => {
  stack = await Stack.start({}, "typescript");
  await create(stack, "httpServerTest", [
    httpTest("Portal", "basic"),
    httpTest("Intranet", "ntlm"),
    httpTest("Legacy", "basic"),
    httpTest("Open", "none"),
  ]);
});
afterAll(() => stack.end());

const importFile = (): string => join(stack.folder, "import.dev.json");
const secretsFile = (entries: object): string => {
  writeFileSync(join(stack.folder, "secrets.json"), JSON.stringify(entries));
  return "secrets.json";
};
const nothingToDo = { code: 0, text: expect.stringMatching(/\d+ unchanged/) as unknown };

/** Returns our resources by name, with decrypted secrets. */
async function opened(): Promise<Record<string, { inputs: Record<string, unknown>; outputs: Record<string, unknown> }>> {
  const { stdout } = await stack.must("stack", "export", "--show-secrets");
  const { deployment } = JSON.parse(stdout) as { deployment: { resources: { urn: string; inputs: never; outputs: never }[] } };
  return Object.fromEntries(
    deployment.resources.map(({ urn, inputs, outputs }) => [urn.split("::").at(-1), { inputs, outputs }]),
  );
}
const secret = (value: string) => ({ [signatureKey]: secretSignature, plaintext: JSON.stringify(value) });

test("import --dry-run lists the required secrets", async () => {
  const run = await stack.cli(
    "import",
    "--dry-run",
    "--secrets",
    secretsFile({ nobodysPassword: first, portalPassword: second }),
  );
  expect(run.code).toBe(0);
  expect(run.stderr).toContain('--secrets: "nobodysPassword" is not the key of an imported secret, so it is ignored');
  expect(run.stdout).toMatch(/^ *intranetPassword +password of intranet +not known$/m);
  expect(run.stdout).toMatch(/^ *portalPassword +password of portal +from --secrets$/m);
  expect(run.text).not.toContain("passw0rd");
  expect(sourcesIn(stack.folder)).toEqual({});
  expect(existsSync(importFile())).toBe(false);
});

test("import without --run prints commands without secrets", async () => {
  const run = await stack.cli("import", "--secrets", secretsFile({ portalPassword: first, intranetPassword: second }));
  expect(run.code).toBe(0);
  expect(run.text).not.toMatch(/passw0rd|in-the-service/);
  expect(run.stdout).toContain("password of 1 HTTP server test\n");
  expect(run.stdout).toContain(
    [
      "  pulumi config set --secret intranetPassword --stack dev",
      "  pulumi config set --secret portalPassword --stack dev",
      "  pulumi import --file import.dev.json --generate-code=false --yes --stack dev",
      "  pulumi preview --stack dev",
    ].join("\n"),
  );
  expect(run.stderr).toContain("contains secrets in clear text: delete it after the import");
  expect(statSync(importFile()).mode & 0o777).toBe(0o600);
  const { resources } = JSON.parse(readFileSync(importFile(), "utf8")) as {
    resources: { name: string; inputs: Record<string, unknown>; outputs: Record<string, unknown> }[];
  };
  const [intranet, legacy, open, portal] = resources;
  expect([intranet?.name, legacy?.name, open?.name, portal?.name]).toEqual(["intranet", "legacy", "open", "portal"]);
  expect([portal?.inputs["password"], portal?.outputs["password"]]).toEqual([secret(first), secret(first)]);
  expect([portal?.outputs["unknownFields"], legacy?.outputs["unknownFields"]]).toEqual([
    ["targetResponseTime"],
    ["password", "targetResponseTime"],
  ]);
  expect([legacy?.inputs["password"], open?.inputs["password"]]).toEqual([undefined, undefined]);
});

test("import --run stores the secrets only in the stack configuration", async () => {
  const engine = new EngineWrapper(stack.folder);
  const run = await stack.cli("import", "--run", "--secrets", secretsFile({ portalPassword: first, intranetPassword: second }));
  engine.end();
  expect([run.code, run.stdout]).toEqual([
    0,
    expect.stringContaining("Imported 4 resources into stack dev, protected.") as unknown,
  ]);
  expect(run.text).not.toMatch(/passw0rd/);
  expect(engine.calls).toContain("config set --secret portalPassword");
  expect(engine.calls).not.toMatch(/passw0rd/);
  const { stdout: configured } = await stack.must("config", "--show-secrets", "--json");
  expect(JSON.parse(configured)).toMatchObject({
    "test:portalPassword": { value: first, secret: true },
    "test:intranetPassword": { value: second, secret: true },
  });
  expect(JSON.stringify(stack.resources())).not.toMatch(/passw0rd/);
  const { portal, intranet } = await opened();
  expect([portal?.inputs["password"], portal?.outputs["password"]]).toEqual([secret(first), secret(first)]);
  expect(intranet?.outputs["password"]).toEqual(secret(second));
  expect(() => statSync(importFile())).toThrow("ENOENT");
});

test("an update and a refresh after the import change nothing", async () => {
  await stack.requests();
  expect(await stack.up()).toEqual({ same: 4 });
  expect(await stack.run("refresh", "--preview-only", "--expect-no-changes")).toMatchObject(nothingToDo);
  expect(Object.keys(await stack.requests()).filter((operation) => !operation.endsWith(".list"))).toEqual([]);
  expect(compilerSays(stack.folder)).toBe("");
});

test("an update stores an imported test's password in the state without a request", async () => {
  await stack.secret("legacyPassword", "later passw0rd");
  await stack.requests();
  expect(await stack.up()).toEqual({ update: 1, same: 3 });
  expect(await stack.requests()).toEqual({});
  const again = await stack.cli("import", "--secrets", secretsFile({ portalPassword: first }));
  expect(again.code).toBe(0);
  expect(again.stderr).toContain('--secrets: "portalPassword" is not the key of an imported secret, so it is ignored');
});

test("import uses a password that the configuration already contains", async () => {
  await create(stack, "httpServerTest", [httpTest("Fresh", "ntlm")]);
  await stack.secret("freshPassword", "fresh passw0rd");
  expect((await stack.cli("import", "--run")).code).toBe(0);
  const { fresh, legacy } = await opened();
  expect([fresh?.outputs["password"], legacy?.outputs["password"]]).toEqual([
    secret("fresh passw0rd"),
    secret("later passw0rd"),
  ]);
  expect(await stack.run("preview", "--expect-no-changes")).toMatchObject(nothingToDo);
});
