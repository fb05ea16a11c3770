/** The whole acceptance suite, the life of every kind on the engine included, against the emulator. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { main } from "../../acceptance/command";
import type { Report } from "../../acceptance/report";
import { registry } from "../../provider/registry";
import { Account } from "../acceptance/support";

jest.setTimeout(300_000);

test("nothing differs, within the default budget, and nothing is left behind", async () => {
  const account = await Account.start();
  const folder = mkdtempSync(join(tmpdir(), "endpoint-monitoring-acceptance-"));
  const log = jest.spyOn(console, "log").mockImplementation(() => undefined);
  try {
    const env = {
      ENDPOINT_MONITORING_BASE_URL: account.emulator.url,
      ENDPOINT_MONITORING_TOKEN: "emulator-token",
      ENDPOINT_MONITORING_ACCOUNT_GROUP_ID: "1001",
      ACCEPTANCE_READER_TOKEN: "emulator-read-only-token",
    };
    const code = await main(["--i-know", "1001", "--agent", account.agentId, "--out", folder], env);
    // This is what the command wrote itself.
    const report = JSON.parse(readFileSync(join(folder, "report.json"), "utf8")) as Report;
    expect(report.findings.filter(({ outcome }) => outcome === "differs")).toEqual([]);
    const lives = report.findings.filter(({ part }) => part === "lifecycle").map(({ id, outcome }) => [id, outcome]);
    const kinds = Object.values(registry).map(({ name }) => [
      `life of ${name}`,
      name === "AgentTransfer" ? "unknown" : "agreed",
    ]);
    expect(lives).toEqual(kinds);
    expect({ code, printed: log.mock.calls.join("\n") }).toEqual({ code: 0, printed: expect.stringContaining(" 0 differ, ") });
    expect(log.mock.calls.join("\n")).not.toContain("left behind");
    expect(report.requests).toBeLessThanOrEqual(400);
  } finally {
    log.mockRestore();
    rmSync(folder, { recursive: true });
    await account.end();
  }
});
