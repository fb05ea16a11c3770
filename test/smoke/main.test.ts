import { builtCommand, runNode } from "../support/process";

/** Runs the command on a Node that reports another version. */
function on(version: string, ...args: string[]) {
  const script = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: ${JSON.stringify(version)} } });
    process.argv.splice(1, 0, ${JSON.stringify(builtCommand)}); require(${JSON.stringify(builtCommand)});`;
  return runNode(["-e", script, "--", ...args]);
}

it.each(["18.20.8", "20.20.2", "22.9.0", "22.18.5"])(
  "the command prints one line with the required version if Node is %s",
  async (version) => {
    const { code, stdout, stderr } = await on(version, "--help");
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toBe(`endpoint-monitoring: requires Node.js 22.19.0 or newer, but this is ${version}.\n`);
  },
);

it.each(["22.19.0", "22.100.0", "24.0.0"])("the command runs with Node %s", async (version) => {
  expect(await on(version, "--help")).toMatchObject({ code: 0, stdout: expect.stringContaining("\nStart:\n"), stderr: "" });
});
