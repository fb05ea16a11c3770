/** A branch must not send the token to another service, whatever the branch configures. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { frontsWithinTime, Stack } from "./support/stack";

describe.each(frontsWithinTime)("destinations of the token with %s resources", (front) => {
  let stack: Stack;
  /** Tokens that arrived at a host other than the service. */
  const tokens: string[] = [];
  const server = createServer((request, response) => {
    tokens.push(request.headers.authorization ?? "none");
    response.writeHead(401).end();
  });
  const label = (name: string) => ({ kind: "Label", args: { name, matchType: "and", filters: [] } });
  const commands: [string, () => Promise<{ code: number | null; text: string }>][] = [
    ["pulumi preview", () => stack.run("preview")],
    ["pulumi up", () => stack.run("up", "--yes", "--skip-preview")],
    ["pulumi refresh", () => stack.run("refresh", "--yes", "--run-program")],
    ["review", () => stack.cli("review", "--fail-on", "none")],
    ["check", () => stack.cli("check")],
  ];

  beforeAll(async () => {
    stack = await Stack.startWith(front, { agents: 0 });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    stack.declare({ office: label("Office") });
    await stack.up();
    stack.declare({ office: label("Renamed"), other: label("Other") });
    stack.configure({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  });
  afterAll(async () => {
    await stack.end();
    await new Promise((resolve) => server.close(resolve));
  });

  test("`check` sends the token to a changed base URL, but `review` does not", async () => {
    await stack.cli("check");
    expect(tokens).toContain("Bearer emulator-token");
    tokens.length = 0;
    // A review checks the base URL before it runs the program.
    const { code, text } = await stack.cli("review");
    expect(code).toBe(2);
    expect(text).toContain(`but the last update used ${new URL(stack.emulator.url).host}`);
    expect(tokens).toEqual([]);
  });

  test("no command sends a request to a host that ENDPOINT_MONITORING_ALLOWED_HOSTS does not list", async () => {
    stack.environment["ENDPOINT_MONITORING_ALLOWED_HOSTS"] = new URL(stack.emulator.url).host;
    for (const [name, run] of commands) {
      const { code, text } = await run();
      expect([name, code === 0]).toEqual([name, false]);
      expect(text).toContain(". Nothing was sent. If ");
    }
    expect(tokens).toEqual([]);
    delete stack.environment["ENDPOINT_MONITORING_ALLOWED_HOSTS"];
  });
});
