/** What the built package loads, in processes of their own. */
import { join } from "node:path";
import { z } from "zod";
import { start } from "../../emulator";
import { builtCommand, plainEnv, repository, runNode } from "../support/process";

/** Files that a fresh process has loaded after `require(entry)`, seen from the repository, and Node's own modules. */
async function loadedBy(entry: string): Promise<{ files: string[]; builtin: string[] }> {
  const script = `require(${JSON.stringify(join(repository, entry))});
    console.log(JSON.stringify({ files: Object.keys(require.cache), builtin: process.moduleLoadList }))`;
  const { stdout } = await runNode(["-e", script], { cwd: repository });
  const { files, builtin } = z.object({ files: z.array(z.string()), builtin: z.array(z.string()) }).parse(JSON.parse(stdout));
  return { files: files.map((file) => file.slice(repository.length + 1)), builtin };
}

test.each([
  ["dist/sdk/index.js", /^node_modules\/@pulumi\/pulumi\//, /^dist\/(?!sdk\/)|^node_modules\/(?:undici|zod)\//],
  ["dist/sdk/native/index.js", /^node_modules\/@pulumi\/pulumi\//, /^dist\/(?!sdk\/)|^node_modules\/(?:undici|zod)\//],
  ["dist/provider/index.js", /^node_modules\/zod\//, /^dist\/(?!provider\/|api\/)|^node_modules\/(?!undici\/|zod\/)/],
  ["dist/api/index.js", /^node_modules\/undici\//, /^dist\/(?!api\/)|^node_modules\/(?!undici\/|zod\/)/],
  [
    "dist/emulator/index.js",
    /^node_modules\/zod\//,
    /^dist\/(?!emulator\/|api\/(?:schemas\/|label-match|tag-match|agent-selection))|^node_modules\/(?!zod\/)/,
  ],
])("loading %s loads nothing that it should not", async (entry, needed, forbidden) => {
  const { files, builtin } = await loadedBy(entry);
  expect(files).toContain(entry);
  expect(files.some((file) => needed.test(file))).toBe(true);
  expect(files.filter((file) => forbidden.test(file))).toEqual([]);
  // Loaded when the emulator starts: it warns on older Nodes.
  expect(builtin.filter((name) => /sqlite/.test(name))).toEqual([]);
});

/** Rooms and packages that help does without: all that takes time to load. */
const heavy = /^dist\/(?:provider|sdk|api\/(?!errors|versions))\/?|^node_modules\//;

test.each([
  [["--help"], 0],
  [["emulater"], 1],
  [["help"], 0],
  [["completion", "bash"], 0],
  [["migrate", "--help"], 0],
  [["init", "--help"], 0],
  ...["import", "review", "drift", "verify", "validate", "check", "emulator"].map((name): [string[], number] => [
    [name, "--help"],
    0,
  ]),
])("%j loads neither the provider nor a package", async (args, code) => {
  const script = `process.argv.splice(1, 0, ${JSON.stringify(builtCommand)}); require(${JSON.stringify(builtCommand)});
    process.on("exit", () => console.error(JSON.stringify(Object.keys(require.cache))));`;
  const run = await runNode(["-e", script, "--", ...args], { cwd: repository });
  expect(run.code).toBe(code);
  const files = z.array(z.string()).parse(JSON.parse(run.stderr.trim().split("\n").at(-1) ?? ""));
  const loaded = files.map((file) => file.slice(repository.length + 1));
  expect(loaded).toContain("dist/cli/run.js");
  expect(loaded.filter((file) => heavy.test(file))).toEqual([]);
});

it("a script loads the client when it calls a function, not before, and nothing keeps it from ending", async () => {
  const script = `
    const loaded = () => Object.keys(require.cache).some((file) => /node_modules.(undici|zod).|dist.api./.test(file));
    const sdk = require(${JSON.stringify(join(repository, "dist/sdk/index.js"))});
    const before = loaded();
    sdk.getLabels.pages();
    sdk.getAccountGroups().then((groups) => setImmediate(() => {
      const holding = process.getActiveResourcesInfo().filter((name) => /^(TCP|TLS|Timeout)/.test(name));
      console.log(JSON.stringify({ groups: groups.length, before, after: loaded(), holding }));
    }));`;
  const emulator = await start({ rateLimit: "off" });
  const env = plainEnv({ ENDPOINT_MONITORING_BASE_URL: emulator.url, ENDPOINT_MONITORING_TOKEN: "emulator-token" });
  const { stdout } = await runNode(["-e", script], { cwd: repository, env });
  await emulator.close();
  expect(JSON.parse(stdout)).toEqual({ groups: 3, before: false, after: true, holding: [] });
});
