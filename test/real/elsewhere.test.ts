/** A review stops before it sends the token to another host that a provider in the program uses. */
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import type { Review } from "../../plan/judge/review";
import { isLong } from "../support/amount";
import { programOf, type Recorded, recordedHosts, recordingFile, spellings } from "../support/elsewhere";
import { type Front, fronts, Stack } from "./support/stack";
const allowed = "ENDPOINT_MONITORING_ALLOWED_HOSTS";
const isRecording = process.env["UPDATE_PREVIEWS"] === "1";
/** Spellings that a short run tries on the engine with each front. The recorded previews of both have all of them. */
const few: Readonly<Record<Front, readonly string[]>> = {
  dynamic: ["literal", "unknown output"],
  native: ["get", "component"],
};

describe.each(fronts)("requests to an unknown host from %s resources", (front) => {
  let stack: Stack;
  let elsewhere: string;
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.url} ${request.headers.authorization}`);
    response.writeHead(401).end();
  });
  const recorded: Recorded = { state: {}, previews: {} };
  const program = (name?: string): string =>
    programOf(name === undefined ? undefined : spellings[name], stack.module, stack.emulator.url, elsewhere);

  beforeAll(async () => {
    stack = await Stack.startWith(front, { agents: 0 });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    stack.set({ "test:elsewhere": elsewhere });
    stack.environment["ELSEWHERE"] = elsewhere;
    stack.write(program());
    await stack.up();
    recorded.state = JSON.parse((await stack.must("stack", "export")).stdout) as object;
  });
  afterAll(async () => {
    await stack.end();
    await new Promise((resolve) => server.close(resolve));
    if (isRecording) record();
  });

  /** Writes the recordings with the same hosts on each machine. */
  function record(): void {
    const [home, port] = [new URL(stack.emulator.url).host, new URL(elsewhere).port];
    const text = JSON.stringify(recorded, null, 1)
      .replaceAll(home, recordedHosts.home)
      .replaceAll(`:${port}`, `:${recordedHosts.elsewherePort}`);
    mkdirSync(dirname(recordingFile(front)), { recursive: true });
    writeFileSync(recordingFile(front), `${text}\n`);
  }

  test.each(Object.keys(spellings).filter((name) => isLong || isRecording || few[front].includes(name)))(
    "a review sends no request to an unknown host that a provider in the program uses: %s",
    async (name) => {
      stack.write(program(name));
      if (isRecording) {
        stack.environment[allowed] = new URL(stack.emulator.url).host;
        const { code, stdout } = await stack.run("preview", "--json", "--show-sames", "--show-replacement-steps");
        recorded.previews[name] = { code: code ?? 1, stdout };
        delete stack.environment[allowed];
      }
      requests.length = 0;
      const { code, stdout, text } = await stack.cli("review", "--json");
      expect([name, requests]).toEqual([name, []]);
      const { findings } = (JSON.parse(stdout) as { data?: Review }).data ?? { findings: [] };
      const texts = findings.filter(({ rule }) => rule === "address").map((stop) => stop.text);
      const { isSecret, isUnknown } = spellings[name] ?? {};
      expect([code, texts.length]).toEqual(isSecret ? [1, 0] : [2, 1]);
      const { port } = new URL(elsewhere);
      expect(text).toMatch(
        isUnknown ? "baseUrl is known only during the update" : new RegExp(`If [a-z0-9.]+:${port} is right, set ${allowed}=`),
      );
    },
  );

  test("no command that runs the program sends a request to an unknown host", async () => {
    stack.write(program("literal"));
    requests.length = 0;
    const digest = `sha256:${"0".repeat(64)}`;
    const commands = [
      ["check"],
      ["apply", "--approved", digest],
      ["rehearse"],
      ["drift", "--fix"],
      ["migrate", "labels", "--dry-run"],
      ["import", "--all", "--dry-run"],
      ["validate"],
    ];
    for (const command of commands) {
      const { text } = await stack.cli(...command);
      expect([command, requests]).toEqual([command, []]);
      expect(text).not.toMatch(/bug in this command/);
    }
  });

  test("the variable ENDPOINT_MONITORING_ALLOWED_HOSTS permits an additional host", async () => {
    stack.write(program("get"));
    const hosts = [stack.emulator.url, elsewhere].map((url) => new URL(url).host);
    stack.environment[allowed] = hosts.join(",");
    requests.length = 0;
    await stack.cli("check");
    expect(requests.length).toBeGreaterThan(0);
    stack.environment[allowed] = "";
    stack.write(program("provider without resources"));
    await stack.up();
    delete stack.environment[allowed];
    expect(await stack.cli("review")).toMatchObject({ code: 0 });
  });

  test("apply sends no request to a host that the preview did not know", async () => {
    stack.write(program());
    await stack.up();
    stack.write(program("unknown output"));
    const file = join(stack.folder, "approval.json");
    const review = await stack.cli("review", "--allow-unknown", "p.baseUrl", "--approval", file);
    expect(review).toMatchObject({ code: 0 });
    requests.length = 0;
    const apply = await stack.cli("apply", "--approved", file);
    expect([apply.code === 0, requests]).toEqual([false, []]);
  });
});
