import { runCommand } from "../../../support/command";
import { temporary } from "../../../support/temporary";

const run = (cwd: string, ...args: string[]) => runCommand(["drift", ...args], { cwd });

describe("drift from the command line", () => {
  const folder = temporary();

  it("drift --help shows every option, an example and the exit codes", async () => {
    const { code: status, stdout, stderr } = await run(folder, "--help");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const said = [
      "--stack",
      "--managed-by",
      "--no-unmanaged",
      "--only",
      "--fix",
      "--accept",
      "--keep-state",
      "--details",
      "drift.ignore",
      "--markdown",
      "--json",
      "Example",
      "Exit codes:",
    ];
    for (const text of said) expect(stdout).toContain(text);
    for (const code of ["  0  no drift", "  2  there is drift"]) expect(stdout).toContain(code);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(110);
  });

  it("drift reports in one line that the folder has no project", async () => {
    const { code: status, stdout, stderr } = await run(folder, "--json");
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      error: { code: "usage", message: expect.stringContaining("There is no Pulumi.yaml in") },
    });
    expect(stderr).toMatch(/^endpoint-monitoring drift: There is no Pulumi\.yaml in [^\n]+\n$/);
  });
});
