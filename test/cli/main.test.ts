import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "../..");
const main = join(root, "dist/cli/main.js");

/** Runs the command on a Node that says it is of another version. */
function on(version: string, ...args: string[]) {
  const script = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: ${JSON.stringify(version)} } });
    process.argv.splice(1, 0, ${JSON.stringify(main)}); require(${JSON.stringify(main)});`;
  return spawnSync(process.execPath, ["-e", script, "--", ...args], { encoding: "utf8" });
}

it.each(["18.20.8", "20.20.2", "22.9.0", "22.18.5"])("on Node %s it says in a line which one it needs", (version) => {
  const { status, stdout, stderr } = on(version, "--help");
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toBe(`endpoint-monitoring: needs Node 22.19.0 or newer, and this is ${version}.\n`);
});

it.each(["22.19.0", "22.100.0", "24.0.0"])("on Node %s it runs", (version) => {
  expect(on(version, "--help")).toMatchObject({ status: 0, stdout: expect.stringContaining("Commands:"), stderr: "" });
});

it("needs the Node that the package says", () => {
  const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { engines: { node: string } };
  expect(engines.node).toBe(">=22.19.0");
});

it("with --json a failure is an object on standard output, and a line for people beside it", () => {
  const run = spawnSync(process.execPath, [main, "drift", "--json", "--bogus"], { encoding: "utf8" });
  expect(run.status).toBe(1);
  expect(JSON.parse(run.stdout)).toEqual({ error: { code: "usage", message: expect.stringContaining("--bogus") } });
  expect(run.stderr).toMatch(
    /^endpoint-monitoring drift: Unknown option '--bogus'\. Try "endpoint-monitoring drift --help"\.\n$/,
  );
});
