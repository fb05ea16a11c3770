/**
 * Calls all operations of the official Python client (walk.py) on the emulator. The client's models were generated from the
 * service's API document, so an unreadable or unknown member is a mistake of the emulator.
 */
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { endAll, startProcess } from "../../support/process";
import { closeServer, portOf } from "../loopback";
import { Bench, type Json } from "../support";
import { expected } from "./expected";
import { installLimitMs, officialClient } from "./python";

let bench: Bench;
let target: Server;
let lines: Json[];

beforeAll(async () => {
  const python = officialClient();
  const proxies = [{ proxyId: "1", name: "Office", type: "pac", pac: "http://127.0.0.1/proxy.pac" }];
  bench = await Bench.start({ transferDelayMs: 0, speed: 60, proxies });
  target = createServer((_request, response) => response.end("hello"));
  const port = await portOf(target);
  const walk = startProcess(python.command, [join(__dirname, "walk.py"), bench.url, String(port)], { env: python.env });
  const { code, stdout, stderr } = await walk.ended;
  if (code !== 0) throw new Error(`walk.py ended with ${code}:\n${stderr}`);
  lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}, installLimitMs);
afterAll(async () => {
  await endAll();
  await bench?.close();
  if (target) await closeServer(target);
});

const having = (member: string): Json[] => lines.filter((line) => member in line);

/** Returns the paths of a parsed model's values. A list has the paths of its first element. */
function heldIn(value: Json, at = ""): string[] {
  if (Array.isArray(value)) return [at, ...(value.length > 0 ? heldIn(value[0], `${at}[]`) : [])];
  if (typeof value !== "object" || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([name, member]) => heldIn(member, at === "" ? name : `${at}.${name}`))];
}

test("the suite calls all 65 operations of the official Python client", () => {
  const [{ operations }] = having("operations");
  const called: string[] = having("operation").map(({ operation }) => operation);
  expect(called.toSorted()).toEqual(operations);
  expect(operations).toEqual(Object.keys(expected).toSorted());
  expect(operations).toHaveLength(65);
});

test.each(Object.entries(expected))(
  "the official Python client parses the emulator's response to %s",
  (operation, { status, model, holds, unknown = [] }) => {
    const line = having("operation").find((candidate) => candidate.operation === operation);
    expect({ status: line.status, model: line.model }).toEqual({ status, model });
    const returned = heldIn(line.parsed);
    expect(holds.filter((path) => !returned.includes(path))).toEqual([]);
    expect(line.unknown).toEqual(unknown.map((member) => `$.${member}`));
  },
);

test("the official Python client reads every page of a list without duplicate records", () => {
  expect(having("pages")).toEqual([
    { pages: "get_endpoint_labels", rows: 3, different: 3, expected: 3 },
    { pages: "get_endpoint_agents", rows: 10, different: 10, expected: 10 },
  ]);
});

test("the official Python client raises the expected exception for each error response", () => {
  expect(having("refused")).toMatchObject([
    {
      refused: "get_endpoint_label",
      raised: "NotFoundException",
      status: 404,
      data: { title: expect.any(String), status: 404 },
    },
    { refused: "create_endpoint_label", raised: "BadRequestException", status: 400, data: { status: 400 } },
    { refused: "get_endpoint_labels", raised: "ForbiddenException", status: 403, data: { status: 403 } },
    { refused: "get_alert_rule", raised: "NotFoundException", status: 404, data: { title: "404 Not Found" } },
    { refused: "get_stream", raised: "NotFoundException", status: 404 },
  ]);
});

test("the emulator accepts the time ranges that the official Python client sends", () => {
  const asked = having("dates");
  expect(asked).toHaveLength(13);
  expect(asked.filter(({ status }) => status !== 200)).toEqual([]);
});
