/** Sends messages that no engine sends to the plugin's process, during creates. */
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { join } from "node:path";
import { type Emulator, start } from "../../emulator";
import { nativeToken } from "../../sdk/token";
import { Random } from "../chaos/row";
import { amount, seed } from "../support/amount";
import { hostile, RawClient } from "../support/hostile";
import { endAll, plainEnv, repository, type Started, startProcess } from "../support/process";
import { set } from "../support/plugin";

const count = amount(2_000, 100_000);
const first = seed(1);
/** Parallel messages. */
const parallel = 64;
/** Messages between two valid creates. */
const between = 100;
const patienceMs = 60_000;

let emulator: Emulator;
let plugin: Started;
let port: string;
/**
 * The client of hostile messages. A response can contain more state than Node's HTTP/2 accepts in a header, unlike the engine. The client
 * then closes the connection, and another client continues.
 */
let client: RawClient;
/** The client of creates, separate from the responses to hostile messages. */
let steady: RawClient;
beforeAll(async () => {
  emulator = await start({ rateLimit: "off", agents: 5, transferDelayMs: 0 });
  plugin = startProcess(process.execPath, [join(repository, "dist/plugin/main.js")], { env: plainEnv(), bound: 1_700_000 });
  port = (await plugin.line()).trim();
  client = new RawClient(port);
  steady = new RawClient(port);
  const settings = { baseUrl: emulator.url, token: "emulator-token", createOutcomeTimeout: "0.2", readLag: "0", timeout: "5" };
  const configure = set(new messages.ConfigureRequest(), { Args: settings });
  const { error } = await client.send({ method: "configure", bytes: configure.serializeBinary() }, patienceMs);
  if (error) throw error;
});
afterAll(async () => {
  client.close();
  steady.close();
  await endAll();
  await emulator.close();
});

/** The creates' account group. A hostile message can delete or rename a label of the group that it names. */
const steadyGroup = "1003";

/** Creates a label with a slow request. */
async function create(name: string): Promise<string | undefined> {
  const properties = { name, matchType: "or", filters: [], color: "#d9d9d9", accountGroupId: steadyGroup };
  const type = nativeToken("Label");
  const request = set(new messages.CreateRequest(), {
    Type: type,
    Urn: `urn:pulumi:dev::test::${type}::${name}`,
    Properties: properties,
  });
  const { error } = await steady.send({ method: "create", bytes: request.serializeBinary() }, 120_000);
  return error && `${name}: ${error.details}`;
}

test(`the plugin survives ${count} hostile messages from seed ${first}`, async () => {
  emulator.fault({ kind: "latency", ms: 300, operation: "labels.create", n: Math.ceil(count / between) * 4 });
  const wrong: string[] = [];
  const creates: Promise<string | undefined>[] = [];
  const codes = new Map<number, number>();
  const late: number[] = [];
  let [next, lost] = [0, 0];
  const work = async (): Promise<void> => {
    while (next < count) {
      const at = first + next;
      if (next % between === 0) creates.push(create(`In flight ${next / between}`));
      next += 1;
      const message = hostile(new Random(at), `hush-${at}-hush`);
      const used = client;
      let answer = await used.send(message, patienceMs);
      if (answer.lost) {
        // Another message may have closed the connection, so this message is sent again separately.
        if (used === client) client = new RawClient(port);
        const alone = new RawClient(port);
        answer = await alone.send(message, patienceMs);
        alone.close();
      }
      const { error, shown } = answer;
      if (answer.late) late.push(at);
      if (answer.lost) lost += 1;
      codes.set(error?.code ?? 0, (codes.get(error?.code ?? 0) ?? 0) + 1);
      const request = `seed ${at}, ${message.method}: ${shown.slice(0, 500)}`;
      if (message.secret !== undefined && shown.includes(message.secret)) wrong.push(`shows a secret: ${request}`);
      if (/\n\s+at .*[:(]\d+/.test(shown)) wrong.push(`has a stack: ${request}`);
      if (error && error.details.trim() === "") wrong.push(`says nothing: ${request}`);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  const failed = (await Promise.all(creates)).filter((problem) => problem !== undefined);
  const { code, signal, stderr } = plugin.said();
  expect({ code, signal, stderr }).toEqual({ code: null, signal: null, stderr: "" });
  expect(wrong.slice(0, 10)).toEqual([]);
  expect([wrong.length, failed, late]).toEqual([0, [], []]);
  expect(lost).toBeLessThan(count / 1000);
  const labels = await names();
  expect(labels.toSorted()).toEqual(creates.map((_, i) => `In flight ${i}`).toSorted());
  // The plugin refuses most messages for several reasons. An engine could send some of them.
  expect(codes.get(0) ?? 0).toBeGreaterThan(count / 20);
  expect(codes.size).toBeGreaterThan(2);
  if (count > 2_000) console.log(JSON.stringify({ count, creates: creates.length, lost, codes: Object.fromEntries(codes) }));
}, 1_800_000);

async function names(): Promise<string[]> {
  const labelNames: string[] = [];
  let path: string | undefined = `/v7/endpoint/labels?max=1000&aid=${steadyGroup}`;
  while (path) {
    const answer: Response = await fetch(new URL(path, emulator.url), { headers: { authorization: "Bearer emulator-token" } });
    const page = (await answer.json()) as { labels: { name: string }[]; _links?: { next?: { href: string } } };
    labelNames.push(...page.labels.map(({ name }) => name));
    path = page._links?.next?.href;
  }
  return labelNames;
}
