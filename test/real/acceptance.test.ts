/** Runs the whole acceptance suite against the emulator, including each resource type's lifecycle on the engine. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { main } from "../../tools/acceptance/command";
import { runLifecycles } from "../../tools/acceptance/lifecycle";
import type { Report } from "../../tools/acceptance/report";
import { Session } from "../../tools/acceptance/session";
import { registry } from "../../provider/registry";
import { accessTo, Account } from "../acceptance/support";
import { temporary } from "../support/temporary";

test("the acceptance command stays within its default request budget", async () => {
  const account = await Account.start();
  const folder = temporary();
  const log = jest.spyOn(console, "log").mockImplementation(() => undefined);
  try {
    const env = {
      ENDPOINT_MONITORING_BASE_URL: account.emulator.url,
      ENDPOINT_MONITORING_TOKEN: "emulator-token",
      ENDPOINT_MONITORING_ACCOUNT_GROUP_ID: "1001",
      ACCEPTANCE_READER_TOKEN: "emulator-read-only-token",
    };
    const code = await main(["--i-know", "1001", "--agent", account.agentId, "--out", folder], env);
    // The command itself wrote this report.
    const report = JSON.parse(readFileSync(join(folder, "report.json"), "utf8")) as Report;
    expect(report.findings.filter(({ outcome }) => outcome === "differs")).toEqual([]);
    const lives = report.findings.filter(({ part }) => part === "lifecycle").map(({ id, outcome }) => [id, outcome]);
    const kinds = Object.values(registry).map(({ name }) => [
      `lifecycle of ${name}`,
      name === "AgentTransfer" ? "unknown" : "agreed",
    ]);
    expect(lives).toEqual(kinds);
    expect({ code, printed: log.mock.calls.join("\n") }).toEqual({ code: 0, printed: expect.stringContaining(" 0 differ, ") });
    expect(log.mock.calls.join("\n")).not.toContain("left behind");
    expect(report.requests).toBeLessThanOrEqual(550);
  } finally {
    log.mockRestore();
    await account.end();
  }
});

test("the acceptance command reports an update that the service rejects", async () => {
  const account = await Account.start();
  try {
    account.emulator.fault({ operation: "tests.httpServer.update", kind: "status", status: 400, n: 9 });
    const session = new Session(accessTo(account.emulator.url, { token: "emulator-token" }));
    const findings = await runLifecycles(session);
    expect(findings.filter(({ outcome }) => outcome === "agreed")).toEqual([]);
    const [finding, ...others] = findings.filter(({ outcome }) => outcome === "differs");
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ id: "lifecycle of HttpServerTest", differences: [{ at: "engine", emulator: "succeeds" }] });
    expect(finding?.exchanges?.some(({ request, response }) => request.method === "PATCH" && response.status === 400)).toBe(
      true,
    );
    expect([...session.own]).toEqual([]);
  } finally {
    await account.end();
  }
});
