/** Calls functions of `sdk/native` with Pulumi's mocks in place of an engine. */
import * as pulumi from "@pulumi/pulumi";
import { functionNames } from "../../../plugin/invoke";
import * as dynamic from "../../../sdk";
import * as functions from "../../../sdk/functions";
import * as native from "../../../sdk/native";

/** Calls from the program to the plugin. */
const asked: { token: string; inputs: object }[] = [];
let rows: object[] = [];

beforeAll(async () => {
  // Registers the plugin as known.
  process.env["PULUMI_DEBUG_PROVIDERS"] = "endpoint-monitoring:1";
  await pulumi.runtime.setMocks({
    newResource: () => ({ id: "", state: {} }),
    call: (call) => {
      asked.push(call);
      return { result: rows };
    },
  });
});
afterAll(() => delete process.env["PULUMI_DEBUG_PROVIDERS"]);
beforeEach(() => {
  asked.length = 0;
  rows = Array.from({ length: 25 }, (_, index) => ({ id: String(index) }));
});

async function sizesOf(pages: AsyncIterable<unknown[]>): Promise<number[]> {
  const sizes: number[] = [];
  for await (const page of pages) sizes.push(page.length);
  return sizes;
}

it("a function returns one page if the program omits max", async () => {
  expect(await sizesOf(native.getAgents.pages({ max: 7 }))).toEqual([7, 7, 7, 4]);
  expect(asked).toMatchObject([{ token: "endpoint-monitoring:index:getAgents", inputs: { max: 7 } }]);
  expect(await sizesOf(native.getAgents.pages({ max: 5 }))).toEqual([5, 5, 5, 5, 5]);
  expect(await sizesOf(native.getAgents.pages())).toEqual([25]);
  rows = [];
  expect(await sizesOf(native.getAgents.pages({ max: 7 }))).toEqual([0]);
});

it("the same functions have a pages() method in the native module and in the main module", () => {
  const paged = (front: object): string[] =>
    Object.entries(front).flatMap(([name, member]) => (typeof member === "function" && "pages" in member ? [name] : []));
  expect(paged(native).toSorted()).toEqual(paged(dynamic).toSorted());
  expect(paged(native)).toContain("getLabels");
});

it("the native module exports each function of the plugin with its output form", () => {
  const names = functionNames(functions).flatMap((name) => [name, `${name}Output`]);
  const exported = Object.entries(native).flatMap(([name, member]) => (/^[a-z]/.test(name) && member ? [name] : []));
  expect(exported.toSorted()).toEqual(names.toSorted());
});
