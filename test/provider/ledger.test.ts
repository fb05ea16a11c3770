/** The ledger records which resource manages a record, and so whether a resource may adopt or delete the record. */
import { OwnershipError } from "../../provider/failures";
import { Ledger } from "../../provider/ledger";
import { memoryLog, type OperationLog } from "../../provider/operation-log";
import { sharedLog } from "../support/shared-log";

const label = { name: "Label", noun: "label" };
const scheduled = { name: "AgentToServerTest", noun: "agent-to-server test" };
const agent = { name: "EndpointAgent", noun: "agent" };
const nothing = (): Promise<void> => Promise.resolve();
const refused = (): Promise<void> => Promise.reject(new Error("refused"));

let ledger: Ledger;
beforeEach(() => (ledger = new Ledger()));

type State = "free" | "owned" | "released or deleted";

function stateOf(of = label, by = ledger): State {
  if (by.isFree(of, "1")) return "free";
  return by.isOwned(of, "1") ? "owned" : "released or deleted";
}

/** Deletes a record. Returns whether the service received a request. */
async function deletes(of = label, by = ledger): Promise<boolean> {
  let asked = false;
  await by.delete(of, "1", async () => void (asked = true));
  return asked;
}

test("a resource can adopt an unmanaged record, even if another type's record has the same id", () => {
  expect(stateOf()).toBe("free");
  ledger.markDeclared(label, "1");
  expect(stateOf()).toBe("owned");
  expect(stateOf(scheduled)).toBe("free");
  ledger.markAcquired(scheduled, "1");
  expect(stateOf(scheduled)).toBe("owned");
});

test("the ownership ledger accepts a second declaration of a record only from the same resource", () => {
  ledger.markDeclared(label, "1");
  expect(() => ledger.markDeclared(label, "1")).toThrow(OwnershipError);
  ledger.markAcquired(scheduled, "1");
  expect(() => ledger.markDeclared(scheduled, "1")).toThrow(
    "Two AgentToServerTest resources of this program manage the agent-to-server test 1",
  );
  ledger.markDeclared(agent, "1", "kiosk");
  ledger.markDeclared(agent, "1", "kiosk");
  expect(() => ledger.markDeclared(agent, "1", "lobby")).toThrow(OwnershipError);
});

test("no resource adopts a record that another resource in the program no longer manages", () => {
  ledger.markReleased(label, "1");
  expect([stateOf(), ledger.adopt(label, "1")]).toEqual(["released or deleted", false]);
  ledger.markAcquired(scheduled, "1");
  ledger.markReleased(scheduled, "1");
  expect(stateOf(scheduled)).toBe("owned");
});

test("an update marks its record as managed", async () => {
  ledger.markUpdated(label, "1");
  ledger.markUpdated(label, "1");
  expect([stateOf(), await deletes()]).toEqual(["owned", false]);
});

test("an update by another resource does not change which resource manages a record", () => {
  ledger.markDeclared(label, "1", "office");
  ledger.markUpdated(label, "1", "lobby");
  expect(() => ledger.markDeclared(label, "1", "office")).not.toThrow();
  expect(() => ledger.markDeclared(label, "1", "lobby")).toThrow(OwnershipError);
});

test("a failed creation releases the adopted agent", () => {
  ledger.markReleased(agent, "1", "kiosk");
  const giveBack = ledger.take(agent, "1");
  expect([stateOf(agent), ledger.take(agent, "1")]).toEqual(["owned", undefined]);
  giveBack?.();
  expect([stateOf(agent), ledger.isReplaced(agent, "1", undefined)]).toEqual(["released or deleted", true]);
});

test("the ownership ledger ignores a repeated release of the same record", () => {
  ledger.markReleased(agent, "1", "kiosk");
  const giveBack = ledger.take(agent, "1");
  giveBack?.();
  giveBack?.();
  expect(stateOf(agent)).toBe("released or deleted");
});

test("a resource can adopt a record even if a request from the engine contained the record's id", () => {
  ledger.recordNamed(label, "1");
  expect([stateOf(), ledger.isNamed(label, "1", {}), ledger.isNamed(scheduled, "1", {})]).toEqual(["free", true, false]);
});

test("a resource can adopt a record after a failed deletion, but not after a successful deletion", async () => {
  expect([await deletes(), stateOf(), ledger.adopt(label, "1")]).toEqual([true, "released or deleted", false]);
  await expect(ledger.delete(scheduled, "1", refused)).rejects.toThrow("refused");
  expect(stateOf(scheduled)).toBe("free");
});

test("the ownership ledger permits the deletion of released records but not of managed records", async () => {
  ledger.markAcquired(label, "1");
  expect([await deletes(), stateOf()]).toEqual([false, "owned"]);
  ledger.markReleased(scheduled, "1");
  expect(await deletes(scheduled)).toBe(true);
});

test("a resource that the engine replaces without a diff no longer manages its record", async () => {
  ledger.recordCheck(label, "office", { name: "Office" });
  ledger.markDeclared(label, "1", "office");
  ledger.recordCheck(label, "lobby", undefined);
  expect(stateOf()).toBe("owned");
  ledger.recordCheck(label, "office", undefined);
  expect([stateOf(), await deletes()]).toEqual(["released or deleted", true]);
});

test("the ownership ledger expects a diff request for each existing resource until the request arrives", () => {
  ledger.recordCheck(label, "office", { name: "Old" });
  expect(ledger.unmatched(label)).toMatchObject([{ heldInputs: { name: "Old" }, isReplaced: false }]);
  expect([ledger.unmatched(scheduled), ledger.expectsDiff(scheduled, "office")]).toEqual([[], false]);
  expect(ledger.expectsDiff(label, "office")).toBe(true);
  ledger.recordDiff(label, "office");
  expect([ledger.expectsDiff(label, "office"), ledger.unmatched(label)]).toEqual([false, []]);
});

test("the ownership ledger marks the agent of a replaced resource as replaced", () => {
  ledger.recordDeclared(agent, "kiosk", false);
  expect([ledger.isReplaced(agent, "1", "kiosk"), ledger.isReplaced(agent, "1", "lobby")]).toEqual([true, false]);
  ledger.recordDeclared(agent, "renamed", true);
  expect(ledger.isReplaced(agent, "1", "lobby")).toBe(true);
  ledger.recordDeclared(agent, "renamed", false);
  expect(ledger.isReplaced(agent, "1", "lobby")).toBe(false);
});

describe("two provider processes of one operation", () => {
  let other: Ledger;
  beforeEach(() => {
    const log = sharedLog();
    ledger = new Ledger(log(), "https://a.example.com");
    other = new Ledger(log(), "https://a.example.com");
  });

  test("a process neither adopts nor deletes a record that another process adopted", async () => {
    expect([other.adopt(label, "1"), ledger.adopt(label, "1")]).toEqual([true, false]);
    expect([stateOf(), await deletes()]).toEqual(["owned", false]);
    expect(() => ledger.markDeclared(label, "1", "office")).toThrow(OwnershipError);
  });

  test("a process does not adopt a record that another process deleted", async () => {
    expect([await deletes(), other.adopt(label, "1")]).toEqual([true, false]);
  });

  test("a record with the same id in another service does not affect a deletion", async () => {
    const elsewhere = new Ledger(sharedLog()(), "https://b.example.com");
    ledger.markDeclared(label, "1");
    expect([await deletes(label, elsewhere), await deletes()]).toEqual([true, false]);
  });

  test("a process sees another process's create request until the service answers", () => {
    const answered = other.recordSending(label, "Office");
    expect([ledger.isSending(label, "Office"), ledger.isSending(label, "Lobby")]).toEqual([true, false]);
    answered();
    expect(ledger.isSending(label, "Office")).toBe(false);
  });
});

describe("two base URLs in one operation", () => {
  const [a, b] = ["https://a.example.com", "https://b.example.com"];
  const office = { accountGroupId: "7", names: ["Office"] };
  let log: () => OperationLog;
  beforeEach(() => (log = sharedLog()));

  test.each(["marks before the process with movedFrom", "marks after it"])(
    "a base URL in movedFrom counts as the same service as the new base URL: %s",
    async (order) => {
      const first = order.startsWith("marks before") ? new Ledger(log(), a) : undefined;
      first?.markDeclared(label, "1", "office", office);
      const answered = first?.recordSending(label, "Lobby");
      const moved = new Ledger(log(), b, [a]);
      const other = first ?? new Ledger(log(), a);
      if (!first) other.markDeclared(label, "1", "office", office);
      expect([stateOf(label, moved), moved.adopt(label, "1", office), await deletes(label, moved)]).toEqual([
        "owned",
        false,
        false,
      ]);
      expect(moved.isSending(label, "Lobby")).toBe(first !== undefined);
      answered?.();
      expect(moved.isSending(label, "Lobby")).toBe(false);
      moved.markReleased(label, "1", "office");
      expect(await deletes(label, other)).toBe(true);
      expect(stateOf(label, moved)).toBe("released or deleted");
    },
  );

  const message = new RegExp(
    `label 1 at ${a} was not (adopted|deleted).*uses ${b}.*same id.*set the property movedFrom of the provider at ${a} to ${b}`,
  );

  test.each<[mark: string, by: (other: Ledger) => void]>([
    ["declares", (other) => other.markDeclared(label, "1", "office", office)],
    ["acquired", (other) => other.markAcquired(label, "1", office)],
    ["was not created because of", (other) => other.markContested(label, ["1"])],
  ])("adoption and deletion fail if another process %s an identical record at the other base URL", async (_, by) => {
    by(new Ledger(log(), b));
    ledger = new Ledger(log(), a);
    expect(() => ledger.adopt(label, "1", office)).toThrow(message);
    expect(() => ledger.take(label, "1")).toThrow(message);
    let asked = false;
    const work = async (): Promise<void> => void (asked = true);
    await expect(ledger.delete(label, "1", work, () => Promise.resolve(office))).rejects.toThrow(message);
    // The failure leaves no mark.
    expect([asked, stateOf()]).toEqual([false, "free"]);
  });

  test.each<[difference: string, facts: object]>([
    ["another name", { ...office, names: ["Lobby", undefined] }],
    ["another account group", { ...office, accountGroupId: "8" }],
  ])("two records with equal ids are independent if they have %s", async (_, facts) => {
    new Ledger(log(), b).markDeclared(label, "1", "office", office);
    ledger = new Ledger(log(), a);
    let asked = 0;
    await ledger.delete(
      label,
      "1",
      async () => void (asked += 1),
      () => Promise.resolve(facts),
    );
    expect(asked).toBe(1);
    expect(new Ledger(log(), "https://c.example.com").adopt(label, "1", facts)).toBe(true);
  });

  test.each<[mark: string, by: (other: Ledger) => void]>([
    ["declares", (other) => other.markDeclared(label, "1", "office", office)],
    ["adopted", (other) => void other.adopt(label, "1", office)],
  ])("a declaration fails if another process %s an identical record at the other base URL", (_, by) => {
    by(new Ledger(log(), b));
    ledger = new Ledger(log(), a);
    expect(() => ledger.markDeclared(label, "1", "lobby", office)).toThrow(
      new RegExp(`Two Label resources.*label 1: one through ${a}, the other through ${b}`),
    );
    // Neither process deletes the record.
    expect(stateOf()).toBe("owned");
    ledger.markDeclared(label, "1", "lobby", { ...office, names: ["Lobby"] });
  });

  test("a failed creation does not prevent another resource from declaring the record", () => {
    new Ledger(log(), b).markContested(label, ["1"]);
    ledger = new Ledger(log(), a);
    ledger.markDeclared(label, "1", "office", office);
    expect(stateOf()).toBe("owned");
  });

  test("the provider sends a delete request even if another base URL has a record with the same id", async () => {
    const other = new Ledger(log(), b);
    other.markDeclared(label, "1", "office", office);
    ledger = new Ledger(log(), a);
    let asked = 0;
    const work = async (): Promise<void> => void (asked += 1);
    await ledger.delete(label, "1", work, () => Promise.resolve(undefined));
    await other.delete(label, "2", work);
    await ledger.delete(label, "2", work, () => Promise.resolve(office));
    expect(asked).toBe(3);
  });
});

test("an operation ignores ownership marks of processes that ended before the operation", () => {
  const log = sharedLog();
  const engine = log();
  ledger = new Ledger(log());
  engine.append({ do: "join", pid: 1 });
  ledger.markDeclared(label, "1");
  engine.append({ do: "join", pid: 2 });
  engine.append({ do: "leave", pid: 1 });
  expect(stateOf()).toBe("owned");
  engine.append({ do: "leave", pid: 2 });
  engine.append({ do: "join", pid: 3 });
  expect(stateOf()).toBe("free");
});

test("adoption and deletion fail if the ledger cannot write an ownership mark", async () => {
  const log = memoryLog();
  const failing: OperationLog = {
    problem: undefined,
    append(entry) {
      if (entry) failing.problem = "the disk is full";
      return log.append(entry);
    },
  };
  ledger = new Ledger(failing);
  await expect(deletes()).rejects.toThrow(/label 1 was not deleted.*the disk is full/);
  expect(stateOf()).toBe("free");
  failing.problem = undefined;
  expect(() => ledger.adopt(label, "1")).toThrow(/label 1 was not adopted/);
});

test("deleting a record fails if another resource could not be created because of that record", async () => {
  ledger.markContested(label, ["1"]);
  await expect(deletes()).rejects.toThrow(/label 1 was not deleted.*aliases/);
  ledger.markDeclared(label, "1", "office");
  expect(await deletes()).toBe(false);
});

test("adoption and deletion fail if the provider's processes cannot share a log", async () => {
  ledger = new Ledger(memoryLog("the folder is open to other users"));
  expect(() => ledger.adopt(label, "1")).toThrow(/label 1 was not adopted.*open to other users/);
  expect(() => ledger.take(agent, "1")).toThrow(OwnershipError);
  await expect(ledger.delete(label, "1", nothing)).rejects.toThrow(/label 1 was not deleted/);
  ledger.markAcquired(label, "1");
  expect(stateOf()).toBe("owned");
});
