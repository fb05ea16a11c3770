/** Who stands for a record, and so whether it may be adopted or deleted. */
import { Ledger } from "../../provider/ledger";
import { OwnershipError } from "../../provider/failures";

const label = { name: "Label", noun: "label" };
const scheduled = { name: "AgentToServerTest", noun: "agent-to-server test" };
const nothing = (): Promise<void> => Promise.resolve();
const refused = (): Promise<void> => Promise.reject(new Error("refused"));

let ledger: Ledger;
beforeEach(() => (ledger = new Ledger()));

/** What holds of a record of some kind. */
const stands = (of = label) => [ledger.isFree(of, "1"), ledger.isOwned(of, "1"), ledger.isReleased(of, "1")];
const [free, owned, left, neither] = [
  [true, false, false],
  [false, true, false],
  [false, false, true],
  [false, false, false],
];

test("a record of which nothing is known is free, one that a resource keeps or takes is not", () => {
  expect(stands()).toEqual(free);
  ledger.markDeclared(label, "1");
  expect(stands()).toEqual(owned);
  // Ids of two kinds may be alike.
  expect(stands(scheduled)).toEqual(free);
  ledger.markAcquired(scheduled, "1");
  expect(stands(scheduled)).toEqual(owned);
});

test("two resources that keep one record are an error, also where one has just taken it", () => {
  ledger.markDeclared(label, "1");
  expect(() => ledger.markDeclared(label, "1")).toThrow(OwnershipError);
  ledger.markAcquired(scheduled, "1");
  expect(() => ledger.markDeclared(scheduled, "1")).toThrow("Two AgentToServerTest resources of this program stand for");
});

test("a record that is left is not adopted, unless its call has failed; one that somebody has is not left", () => {
  ledger.markReleased(label, "1");
  expect(stands()).toEqual(left);
  ledger.unmark(label, "1");
  expect(stands()).toEqual(free);
  ledger.markAcquired(label, "1");
  ledger.markReleased(label, "1");
  expect(stands()).toEqual(owned);
});

test("an update keeps a record, and takes it from nobody", () => {
  ledger.markUpdated(label, "1");
  expect(stands()).toEqual(owned);
  ledger.markUpdated(label, "1");
  expect(stands()).toEqual(owned);
});

test("what is deleted is not adopted, though a list may still show it; of a delete that failed nothing is known", async () => {
  await ledger.delete(label, "1", nothing);
  expect(stands()).toEqual(neither);
  const other = new Ledger();
  await expect(other.delete(label, "1", refused)).rejects.toThrow("refused");
  expect(other.isFree(label, "1")).toBe(true);
});

test("what somebody stands for is forgotten, not deleted", async () => {
  ledger.markAcquired(label, "1");
  let deletes = 0;
  await ledger.delete(label, "1", () => {
    deletes += 1;
    return nothing();
  });
  expect([deletes, stands()]).toEqual([0, owned]);
  ledger.markReleased(scheduled, "1");
  await ledger.delete(scheduled, "1", () => {
    deletes += 1;
    return nothing();
  });
  expect(deletes).toBe(1);
});

test("a diff of the program is the one that follows its check, once", () => {
  ledger.recordCheck(label, { name: "Old" }, { name: "New", color: "#000000" });
  expect(ledger.unmatchedInputs(label)).toEqual([{ name: "Old" }]);
  expect([ledger.unmatchedInputs(scheduled), ledger.matchDiff(scheduled, { color: "#000000", name: "New" })]).toEqual([
    [],
    false,
  ]);
  expect(ledger.matchDiff(label, { name: "Old" })).toBe(false);
  // The order of members is no matter.
  expect(ledger.matchDiff(label, { color: "#000000", name: "New" })).toBe(true);
  expect(ledger.matchDiff(label, { name: "New", color: "#000000" })).toBe(false);
  expect(ledger.unmatchedInputs(label)).toEqual([]);
});
