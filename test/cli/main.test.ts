import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../support/command";

const root = join(__dirname, "../..");

it("the command requires the Node version that package.json names", () => {
  const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { engines: { node: string } };
  expect(engines.node).toBe(">=22.19.0");
  expect(readFileSync(join(root, "cli/main.ts"), "utf8")).toContain('oldestNode = "22.19.0"');
});

it("the command prints a failure as a JSON object on standard output if --json is set", async () => {
  const run = await runCommand(["drift", "--json", "--bogus"]);
  expect(run.code).toBe(1);
  expect(JSON.parse(run.stdout)).toEqual({ error: { code: "usage", message: expect.stringContaining("--bogus") } });
  expect(run.stderr).toMatch(
    /^endpoint-monitoring drift: Unknown option --bogus\. Try "endpoint-monitoring drift --help"\.\n$/,
  );
});
