/** Functions of the native plugin whose answer comes in pages, with Pulumi's mocks in the place of an engine. */
import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "../../sdk";
import * as native from "../../sdk/native";

/** What the program asked the plugin. */
const asked: { token: string; inputs: object }[] = [];
let rows: object[] = [];

beforeAll(async () => {
  // So that the plugin counts as known.
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

it("come in pages of the size that is asked for, in one without it, and in one that is empty if there is nothing", async () => {
  expect(await sizesOf(native.getAgents.pages({ max: 7 }))).toEqual([7, 7, 7, 4]);
  expect(asked).toMatchObject([{ token: "endpoint-monitoring:index:getAgents", inputs: { max: 7 } }]);
  expect(await sizesOf(native.getAgents.pages({ max: 5 }))).toEqual([5, 5, 5, 5, 5]);
  expect(await sizesOf(native.getAgents.pages())).toEqual([25]);
  rows = [];
  expect(await sizesOf(native.getAgents.pages({ max: 7 }))).toEqual([0]);
});

it("have pages where those of the dynamic front have them", () => {
  const paged = (front: object): string[] =>
    Object.entries(front).flatMap(([name, member]) => (typeof member === "function" && "pages" in member ? [name] : []));
  expect(paged(native).toSorted()).toEqual(paged(dynamic).toSorted());
  expect(paged(native)).toContain("getLabels");
});
