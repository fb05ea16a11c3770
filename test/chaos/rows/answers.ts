/** Responses of the service that were damaged on their way, or differ from the API document. */
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createClient, EndpointMonitoringError, type Client } from "../../../api";
import { allOperations, operations, type Operation } from "../../../api/schemas";
import { records, type RecordKindName } from "../../../provider/registry";
import type { Properties } from "../../../provider/values";
import { damagedText, jsonText, messageProblems, mutated, textOf, tryEach } from "../../support/fuzz";
import type { CaseResult, Random, Row } from "../row";
import { idOf, kindCases, listMemberOf, operationsOf, recordKinds } from "../../support/kinds";
import { called, problemsOf, providerOf } from "./provider";

const folder = join(__dirname, "../../fixtures/service/examples");

/** Sample bodies of the API document, by operation. */
const samples = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".json"))
  .map((name) => ({ name: name.replace(/^assembled\/|\.json$/g, ""), text: readFileSync(join(folder, name), "utf8") }));
const errors = samples.filter(({ name }) => name.startsWith("errors."));
const bodyOf = (operation: Operation, kind: string): string | undefined =>
  samples.find(({ name }) => name.startsWith(`${operation.id}.`) && name.endsWith(kind))?.text;
const answered = allOperations().filter(
  (operation) => operation.response && operation.authenticated && bodyOf(operation, "response"),
);
/** Returns a record of a type from the API document or its case. */
function sampleOf(kind: RecordKindName): Properties {
  const text = bodyOf(operationsOf(kind).get, "response");
  return text === undefined ? (kindCases[kind].undocumented?.record ?? {}) : (JSON.parse(text) as Properties);
}

/** The next response. */
interface Next {
  status: number;
  type: string;
  text: string;
}

export const answersRow: Row = {
  name: "mutated service answers",
  atLeast: 10_000,
  async run(options) {
    const next: Next = { status: 200, type: "", text: "" };
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(next.status, { "content-type": next.type }).end(Buffer.from(next.text));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const token = "s3cret-t0ken-of-ours";
    const client = createClient({ baseUrl, token });
    try {
      return await tryEach(options, (random) =>
        random.isOne(4) ? triedRecord(baseUrl, token, next, random) : triedCall(client, token, next, random),
      );
    } finally {
      await client.close();
      server.closeAllConnections();
      server.close();
    }
  },
};

/** Returns a body as text that differs from a sample in one or a few places. */
function damaged(random: Random, text: string, secret: string): string {
  if (random.isOne(4)) return damagedText(random, text, secret);
  let value: unknown = JSON.parse(text);
  for (let times = 1 + random.below(3); times > 0; times -= 1) value = mutated(random, value, secret);
  return jsonText(value);
}

async function triedCall(client: Client, token: string, next: Next, random: Random): Promise<CaseResult> {
  const operation = random.of(answered);
  const fails = random.isOne(4);
  next.status = fails
    ? random.of([400, 401, 403, 404, 409, 418])
    : random.isOne(30)
      ? random.of([200, 201, 206])
      : operation.status;
  next.type = random.isOne(20) ? random.of(["text/html", "", "application/hal+json; charset=latin1"]) : "application/hal+json";
  next.text = damaged(random, fails ? random.of(errors).text : (bodyOf(operation, "response") ?? ""), token);
  const path = Object.fromEntries([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, "17"]));
  const request = bodyOf(operation, "request");
  const areas = client as unknown as Record<string, Record<string, (request: object) => Promise<unknown>>>;
  const [area, name] = placeOf(operation);
  try {
    const answer = await areas[area]?.[name]?.({
      path,
      ...(request && operation.body && { body: JSON.parse(request) as unknown }),
    });
    return {
      reported: false,
      wrong:
        !fails && isPassable(answer)
          ? []
          : [`${operation.id} answered ${next.status} and was taken: ${next.text.slice(0, 200)}`],
    };
  } catch (error) {
    if (!(error instanceof EndpointMonitoringError))
      return { reported: false, wrong: [`${operation.id}: a bug: ${textOf(error)}`] };
    return { reported: true, wrong: messageProblems(error.message, token) };
  }
}

/** Tries a record as a resource reads it: a value that the service may report never counts as a damaged state. */
async function triedRecord(baseUrl: string, token: string, next: Next, random: Random): Promise<CaseResult> {
  const kind = random.of(recordKinds);
  const record = sampleOf(kind);
  const odd = mutated(random, record, token);
  const listed = { [listMemberOf(kind)]: [odd], accountGroups: [] };
  Object.assign(next, { status: 200, type: "application/hal+json", text: jsonText(listed) });
  const id = idOf(kind, record);
  const provider = providerOf(kind, baseUrl, { discreet: true, token });
  const read = await called(() => provider.read(id, { accountGroupId: "1001", [records[kind].nameProperty]: "Known" }), token);
  if (!("answer" in read)) return { reported: true, wrong: read.problems };
  const { props } = read.answer;
  if (read.answer.id === "") return { reported: false, wrong: [] };
  const again = await called(() => provider.diff(id, props, read.answer.inputs ?? {}), token);
  const wrong = "answer" in again ? [] : [`${kind}: what it reported cannot be compared: ${again.message}`];
  return {
    reported: false,
    wrong: [...wrong, ...problemsOf(again), ...(isPassable(props) ? [] : [`${kind}: its state cannot be stored`])],
  };
}

function placeOf(operation: Operation): [string, string] {
  for (const [area, calls] of Object.entries(operations)) {
    for (const [name, candidate] of Object.entries(calls)) if (candidate === operation) return [area, name];
  }
  throw new Error(`${operation.id} is in no area`);
}

/** Whether the engine can carry a value, without null and unpaired surrogates. */
function isPassable(value: unknown): boolean {
  return (
    value === undefined ||
    (!/[^\\](?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(value)) && !JSON.stringify(value).includes(":null"))
  );
}
