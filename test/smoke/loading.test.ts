/** Lists the modules that the built package loads in separate processes. */
import { join } from "node:path";
import { z } from "zod";
import { start } from "../../emulator";
import { builtCommand, plainEnv, repository, runNode } from "../support/process";

/** Files that a fresh process loads for `require(entry)`, relative to the repository, and Node's own modules. */
async function loadedBy(entry: string): Promise<{ files: string[]; builtin: string[] }> {
  const script = `require(${JSON.stringify(join(repository, entry))});
    console.log(JSON.stringify({ files: Object.keys(require.cache), builtin: process.moduleLoadList }))`;
  const { stdout } = await runNode(["-e", script], { cwd: repository });
  const { files, builtin } = z.object({ files: z.array(z.string()), builtin: z.array(z.string()) }).parse(JSON.parse(stdout));
  return { files: files.map((file) => file.slice(repository.length + 1)), builtin };
}

/** Modules of this package and of Pulumi's SDK that a program must not load, such as the compiler and npm's client. */
const notInPrograms =
  /^dist\/(?!sdk\/)|^node_modules\/(?:undici|zod|typescript|@npmcli|@pulumi\/pulumi\/(?:index|automation\/.*)\.js)/;

test.each([
  ["dist/sdk/index.js", /^node_modules\/@pulumi\/pulumi\//, notInPrograms],
  ["dist/sdk/native/index.js", /^node_modules\/@pulumi\/pulumi\//, notInPrograms],
  ["dist/provider/index.js", /^node_modules\/zod\//, /^dist\/(?!provider\/|api\/)|^node_modules\/(?!zod\/)/],
  ["dist/plugin/server.js", /^node_modules\/zod\//, /^dist\/(?!plugin\/|provider\/|api\/|sdk\/token)|^node_modules\/(?!zod\/)/],
  ["dist/api/index.js", /^node_modules\/zod\//, /^dist\/(?!api\/)|^node_modules\/(?!zod\/)/],
  [
    "dist/emulator/index.js",
    /^node_modules\/zod\//,
    /^dist\/(?!emulator\/|common\/|api\/(?:schemas\/|label-match|tag-match|agent-selection))|^node_modules\/(?!zod\/)/,
  ],
])("the entry point %s loads no unnecessary modules", async (entry, needed, forbidden) => {
  const { files, builtin } = await loadedBy(entry);
  expect(files).toContain(entry);
  expect(files.some((file) => needed.test(file))).toBe(true);
  expect(files.filter((file) => forbidden.test(file))).toEqual([]);
  // The emulator loads SQLite at its start, because older Node versions print a warning.
  expect(builtin.filter((name) => /sqlite/.test(name))).toEqual([]);
});

/** The most modules that the native plugin may load for a response: of Pulumi's protocol, zod and this package. */
const mostPluginModules = 281;

it("the plugin checks and compares a resource without loading the HTTP client", async () => {
  const script = `(async () => {
    const { loadProtocol } = require("./dist/plugin/protocol");
    const { NativeProvider } = require("./dist/plugin/provider");
    require("./dist/plugin/server");
    const protocol = loadProtocol();
    const provider = new NativeProvider(protocol, { attach() {}, info: async () => undefined });
    const message = (name, members) => {
      const made = new protocol.messages[name]();
      for (const [member, value] of Object.entries(members))
        made["set" + member](typeof value === "object" ? protocol.Struct.fromJavaScript(value) : value);
      return made;
    };
    provider.configure(message("ConfigureRequest", { Args: { baseUrl: "http://127.0.0.1:1", token: "token" } }));
    const named = { Urn: "urn:pulumi:dev::test::endpoint-monitoring:index:Label::one", Type: "endpoint-monitoring:index:Label" };
    const inputs = { name: "One", matchType: "or", filters: [] };
    const checked = await provider.check(message("CheckRequest", { ...named, Olds: {}, News: inputs }));
    const compared = provider.diff(message("DiffRequest", { ...named, Id: "1", Olds: { ...inputs, name: "Two" }, News: inputs }));
    const { cache } = require;
    console.log(JSON.stringify({
      failures: checked.getFailuresList().length, changed: compared.getDiffsList(), modules: Object.keys(cache).length,
      http: Object.keys(cache).filter((file) => /node_modules.undici/.test(file)).length,
      areas: Object.keys(cache).filter((file) => /schemas.(agents|labels|tags|alert-rules|network-results)\\.js$/.test(file)),
    }));
  })();`;
  const { stdout } = await runNode(["-e", script], { cwd: repository });
  const seen = z
    .object({
      failures: z.number(),
      changed: z.array(z.string()),
      modules: z.number(),
      http: z.number(),
      areas: z.array(z.string()),
    })
    .parse(JSON.parse(stdout));
  expect(seen).toMatchObject({ failures: 0, changed: ["name"], http: 0, areas: [] });
  expect(seen.modules).toBeLessThanOrEqual(mostPluginModules);
});

/** Modules and packages that help must not load, because they take time. */
const heavy = /^dist\/(?:provider|sdk|api\/(?!errors|error-codes|error-text|versions))\/?|^node_modules\//;

test.each([
  [["--help"], 0],
  [["emulater"], 1],
  [["help"], 0],
  [["migrate", "--help"], 0],
  [["init", "--help"], 0],
  ...["import", "review", "drift", "verify", "validate", "check", "emulator"].map((name): [string[], number] => [
    [name, "--help"],
    0,
  ]),
])("the command %j loads neither the provider nor an npm package", async (args, code) => {
  const script = `process.argv.splice(1, 0, ${JSON.stringify(builtCommand)}); require(${JSON.stringify(builtCommand)});
    process.on("exit", () => console.error(JSON.stringify(Object.keys(require.cache))));`;
  const run = await runNode(["-e", script, "--", ...args], { cwd: repository });
  expect(run.code).toBe(code);
  const files = z.array(z.string()).parse(JSON.parse(run.stderr.trim().split("\n").at(-1) ?? ""));
  const loaded = files.map((file) => file.slice(repository.length + 1));
  expect(loaded).toContain("dist/cli/run.js");
  expect(loaded.filter((file) => heavy.test(file))).toEqual([]);
});

it("the client loads the whole undici package if its internal files moved", async () => {
  const script = `
    const Module = require("node:module");
    const { _resolveFilename: resolve } = Module;
    Module._resolveFilename = (request, ...rest) => resolve(request.replace("undici/lib/", "undici/elsewhere/"), ...rest);
    const { getAccountGroups } = require(${JSON.stringify(join(repository, "dist/sdk/index.js"))});
    getAccountGroups().then((groups) => {
      const whole = Object.keys(require.cache).some((file) => /undici.index\\.js$/.test(file));
      console.log(JSON.stringify({ groups: groups.length, whole }));
    });`;
  const emulator = await start({ rateLimit: "off" });
  const env = plainEnv({ ENDPOINT_MONITORING_BASE_URL: emulator.url, ENDPOINT_MONITORING_TOKEN: "emulator-token" });
  const { stdout } = await runNode(["-e", script], { cwd: repository, env });
  await emulator.close();
  expect(JSON.parse(stdout)).toEqual({ groups: 3, whole: true });
});

it("a script loads the API client only when it calls the first function", async () => {
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
