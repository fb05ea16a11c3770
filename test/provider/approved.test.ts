/** Sends requests with values that were unknown at preview. The provider must send only approved values. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ApprovedResource, approvedVariable, fits, refusalFile, sendApproved } from "../../provider/approved";
import { UnapprovedError } from "../../provider/failures";
import { registry } from "../../provider/registry";
import type { Properties } from "../../provider/values";
import { temporary } from "../support/temporary";

const urn = (name: string): string => `urn:pulumi:dev::test::Label::${name}`;
const ids = new Map([
  [urn("a"), "1"],
  [urn("b"), "2"],
]);
const id = (name: string) => ({ $id: urn(name) });

test.each<[unknown, unknown, boolean]>([
  ["x", "x", true],
  ["x", "y", false],
  [id("a"), "1", true],
  [id("a"), "2", false],
  [id("a"), undefined, false],
  [[id("a"), "9"], ["1", "9"], true],
  // The order of the ids is unknown at preview.
  [[id("a"), "9", id("b")], ["2", "9", "1"], true],
  [[id("a"), "9", id("b")], ["1", "9", "1"], false],
  [[id("a"), "9"], ["9", "1"], false],
  [[id("a")], ["1", "1"], false],
  [[id("a")], [], false],
  [[{ agent: id("a"), to: "x" }], [{ agent: "1", to: "x" }], true],
  [[{ agent: id("a"), to: "x" }], [{ agent: "1", to: "y" }], false],
  [{ $unknown: [] }, "anything", true],
  [{ $unknown: [] }, undefined, false],
  [id("c"), "1", false],
])("the approved value %j permits the value %j: %s", (approved, value, expected) => {
  expect(fits(approved, value, (reference) => ids.get(reference))).toBe(expected);
});

describe("requests of an approved update", () => {
  let folder: string;
  let sent: Properties[];
  const file = () => join(folder, "approved.json");
  const kind = registry.httpServerTest;
  const send = (of: typeof kind | typeof registry.label, inputs: Properties, answer: string) =>
    sendApproved(
      of,
      inputs,
      () => answer,
      () => Promise.resolve(sent.push(inputs)),
    );
  const approve = (...resources: Partial<ApprovedResource>[]): void =>
    writeFileSync(
      file(),
      JSON.stringify(
        resources.map((resource) => ({ kind: kind.name, urn: urn("t"), known: {}, open: {}, secret: [], ...resource })),
      ),
    );

  beforeEach(() => {
    folder = temporary();
    sent = [];
    process.env[approvedVariable] = file();
  });
  afterEach(() => delete process.env[approvedVariable]);

  test("the provider sends only ids that the service returned during the approved update", async () => {
    approve(
      { kind: registry.label.name, urn: urn("a"), known: { name: "A" } },
      { known: { testName: "T" }, open: { labels: [id("a"), "9"] }, secret: ["password"] },
    );
    const inputs = { testName: "T", labels: ["7", "9"], password: "p" };
    await expect(send(kind, inputs, "12")).rejects.toThrow(UnapprovedError);
    expect([sent, existsSync(refusalFile(file()))]).toEqual([[], true]);
    await send(registry.label, { name: "A" }, "7");
    await send(kind, inputs, "12");
    await expect(send(kind, { ...inputs, labels: ["8", "9"] }, "12")).rejects.toThrow(
      /was not sent, because the value of labels is not the approved id of a new resource/,
    );
    await expect(send(kind, { ...inputs, labels: ["7", "9", "8"] }, "12")).rejects.toThrow(UnapprovedError);
    expect(sent).toHaveLength(2);
  });

  test("the provider sends the existing id of a resource that the approved update keeps", async () => {
    approve({ kind: registry.label.name, urn: urn("a"), id: "5", known: { name: "A" } }, { open: { labels: [id("a")] } });
    await send(kind, { labels: ["5"] }, "12");
    expect(sent).toHaveLength(1);
  });

  test("the provider sends the new id of a replaced resource and never sends the old id", async () => {
    approve({ kind: registry.label.name, urn: urn("a"), id: "5", known: { name: "A" } }, { open: { labels: [id("a")] } });
    await send(registry.label, { name: "A" }, "7");
    await expect(send(kind, { labels: ["5"] }, "12")).rejects.toThrow(UnapprovedError);
    await send(kind, { labels: ["7"] }, "12");
    expect(sent).toHaveLength(2);
  });

  test("the provider checks no values if the update has no approval", async () => {
    approve({ known: { testName: "other" }, open: { labels: [id("a")] } });
    await send(kind, { testName: "T", labels: ["8"] }, "1");
    delete process.env[approvedVariable];
    await send(kind, { testName: "other", labels: ["8"] }, "1");
    expect(sent).toHaveLength(2);
  });
});
