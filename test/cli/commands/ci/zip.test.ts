import fc from "fast-check";
import { fileIn } from "../../../../cli/commands/ci/zip";
import { zipOf } from "../../../ci/support/artifacts";
import { amount, seed } from "../../../support/amount";

const content = JSON.stringify({ changes: ["a", "b"] });
const archive = zipOf({
  "other.json": Buffer.from("{}").toString("base64"),
  "approval.json": Buffer.from(content).toString("base64"),
});

test("the zip reader returns the content of a named file", () => {
  expect(fileIn(archive, "approval.json")?.toString()).toBe(content);
  expect(fileIn(archive, "missing.json")).toBeUndefined();
});

test("the zip reader throws no error for a damaged archive", () => {
  const damages = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.nat(archive.length).map((length) => archive.subarray(0, length)),
    fc.nat(archive.length).map((from) => archive.subarray(from)),
    fc.array(fc.tuple(fc.nat(archive.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }).map((changes) => {
      const damaged = Buffer.from(archive);
      for (const [at, byte] of changes) damaged[at] = byte;
      return damaged;
    }),
  );
  let unreadable = 0;
  fc.assert(
    fc.property(damages, (damaged) => {
      if (fileIn(damaged, "approval.json") === undefined) unreadable += 1;
    }),
    { numRuns: amount(2_000, 100_000), seed: seed(1) },
  );
  expect(unreadable).toBeGreaterThan(100);
});
