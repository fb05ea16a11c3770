/** Damaged programs, import files and files of secrets in a folder into which `import` writes. */
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { start } from "../../../emulator";
import { plainEnv } from "../../support/process";
import { damagedText, tryEach } from "../../support/fuzz";
import type { CaseResult, Random, Row } from "../row";
import { judged } from "./command";
import { call } from "../../support/call";

/** The program's folder before the damage: the files of an earlier import, and settings. */
type Files = Readonly<Record<string, string>>;

const more: Files = {
  "index.ts": 'import * as pulumi from "@pulumi/pulumi";\nimport "./labels";\nexport const config = new pulumi.Config();\n',
  "package.json": '{ "name": "fleet", "main": "index.ts" }\n',
  "tsconfig.json": '{ "compilerOptions": { "module": "nodenext" } }\n',
  "secrets.json": '{ "portalPassword": "s3cret-value" }\n',
};

export const programsRow: Row = {
  name: "damaged program and import files",
  atLeast: 500,
  async run(options) {
    const folder = mkdtempSync(join(tmpdir(), "row-programs-"));
    const emulator = await start({ rateLimit: "off", agents: 3 });
    const env = plainEnv({ ENDPOINT_MONITORING_BASE_URL: emulator.url, ENDPOINT_MONITORING_TOKEN: "emulator-token" });
    try {
      await declareSome(emulator.url);
      await judged(["import"], folder, env, "s3cret-value");
      const files = { ...more, ...filesIn(folder) };
      return await tryEach(options, (random) => tried(random, folder, files, env));
    } finally {
      await emulator.close();
      rmSync(folder, { recursive: true });
    }
  },
};

function filesIn(folder: string): Files {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

async function tried(random: Random, folder: string, whole: Files, env: NodeJS.ProcessEnv): Promise<CaseResult> {
  const secret = "s3cret-value";
  const files: Record<string, string> = { ...whole };
  for (let times = 1 + random.below(2); times > 0; times -= 1) {
    const name = random.of(Object.keys(files));
    files[name] = damagedText(random, files[name] ?? "", "odd");
    if (random.isOne(10)) files[name] = random.of(["", "\u0000", "null", "[]", "\ufeff", "{".repeat(5_000), "(".repeat(3_000)]);
  }
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const how = random.of([[], ["--dry-run"], ["--secrets", "secrets.json"], ["--json"]]);
  const outcome = await judged(["import", ...how], folder, env, secret);
  const lost = Object.entries(files).filter(([name, text]) => !isKept(join(folder, name), text));
  return { ...outcome, wrong: [...outcome.wrong, ...lost.map(([name]) => `something of ${name} is lost`)] };
}

/** Whether a file still has all its previous lines. The import file is ours and may be replaced. */
function isKept(path: string, before: string): boolean {
  if (!existsSync(path)) return false;
  if (path.endsWith("/import.json")) return true;
  const after = readFileSync(path, "utf8");
  const lines = new Set(after.split(/\r?\n/).map((line) => line.trim()));
  return Buffer.from(before)
    .toString()
    .split(/\r?\n/)
    .every((line) => lines.has(line.trim()));
}

async function declareSome(url: string): Promise<void> {
  const post = (path: string, body: object): Promise<unknown> => call(url, "POST", `/v7/endpoint/${path}`, body);
  await post("labels", { name: "Office", matchType: "or", filters: [{ key: "platform", mode: "in", values: ["Mac"] }] });
  await post("tests/scheduled-tests/http-server", {
    testName: "Portal",
    url: "https://www.example.com",
    authType: "basic",
    username: "u",
    password: "p",
  });
  await post("tests/scheduled-tests/agent-to-server", { testName: "Gateway", server: "vpn.example.com" });
}
