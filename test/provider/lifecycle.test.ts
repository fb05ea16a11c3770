import { ConflictError, ForbiddenError, UnconfirmedError } from "../../api";
import { GoneError, OtherServiceError, PartialFailure, DuplicateError, UnknownOutcomeError } from "../../provider/failures";
import type { RecordKind } from "../../provider/record-kind";
import { RecordHandler } from "../../provider/record-handler";
import { memoryLog, type OperationLog } from "../../provider/operation-log";
import { records } from "../../provider/registry";
import { Session } from "../../provider/session";
import { stateOf } from "../../provider/state";
import { bodyOf, changeInPlace, idOf, operationsOf } from "../support/kinds";
import { each, everyKind } from "./bench";
import { skipIdleTime } from "../support/idle-time";
import { omit } from "../support/variations/start";

skipIdleTime();

const nameOf = (name: keyof typeof records): string => records[name].nameProperty;

describe.each(everyKind)("%s", (name, { full, minimal, collection, path, isUnique }) => {
  each("is created as declared, and then differs in nothing", async (bench) => {
    for (const declared of [full, minimal]) {
      const { id, state, inputs } = await bench.create(name, declared);
      expect(state).toMatchObject(declared);
      expect(bench.life(name).diff(id, state, inputs)).toEqual([]);
      const read = await bench.life(name).read(id, state);
      expect(read?.state).toEqual(state);
      expect(bench.life(name).diff(id, read?.state ?? {}, inputs)).toEqual([]);
    }
  });

  each("reads inputs in check's canonical form, and only what was declared", async (bench) => {
    const declared = { ...full, accountGroupId: "1001" };
    const { id, state, inputs } = await bench.create(name, declared);
    expect((await bench.life(name).read(id, state))?.inputs).toEqual(inputs);
    const bare = await bench.create(name, minimal);
    expect((await bench.life(name).read(bare.id, bare.state))?.inputs).toEqual(bare.inputs);
  });

  each("goes back to the default when a property is removed", async (bench) => {
    const { id, state } = await bench.create(name, full);
    const { inputs } = bench.life(name).check({ ...minimal, accountGroupId: "1001" });
    const changed = bench.life(name).diff(id, state, inputs);
    const declared = Object.keys(full).filter((property) => property !== "accountGroupId");
    // What the service chooses by itself is let go of, not changed.
    const leftAlone = new Set<string>(records[name].leftToService);
    const differs = (property: string): boolean => JSON.stringify(inputs[property]) !== JSON.stringify(state[property]);
    expect(changed.map(({ property }) => property).toSorted()).toEqual(
      declared.filter((property) => !leftAlone.has(property) && differs(property)).toSorted(),
    );
  });

  each("is deleted, twice without complaint, and then not found", async (bench) => {
    const { id, state } = await bench.create(name, minimal);
    await bench.life(name).delete(id, state);
    await bench.life(name).delete(id, state);
    expect(await bench.life(name).read(id, state)).toBeUndefined();
    expect(await bench.ids(collection)).toEqual([]);
    const { inputs } = bench.life(name).check({ ...minimal, accountGroupId: "1001" });
    await expect(bench.life(name).update(id, state, inputs)).rejects.toBeInstanceOf(GoneError);
  });

  each("is reported gone only after a get of its own", async (bench) => {
    const { id, state } = await bench.create(name, minimal);
    bench.newSession();
    await bench.life(name).read("1", state);
    await bench.door("requests/reset");
    // Created by somebody else after the list was taken.
    const body = bodyOf(name, { ...minimal, [nameOf(name)]: "Later" });
    const made = await fetch(bench.emulator.url + path, {
      method: "POST",
      headers: { authorization: "Bearer emulator-token", "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const later = (await made.json()) as object;
    const found = await bench.life(name).read(idOf(name, later), state);
    expect(found?.state[nameOf(name)]).toBe("Later");
    expect(await bench.life(name).read(id, state)).toBeDefined();
    // One create, one get; no list.
    expect(Object.values(bench.emulator.requests()).reduce((a, b) => a + b, 0)).toBe(2);
  });

  each("is not made a second time when an identical one is there", async (bench) => {
    const { id } = await bench.create(name, full);
    bench.newSession();
    const again = bench.create(name, full);
    await expect(again).rejects.toBeInstanceOf(DuplicateError);
    await expect(again).rejects.toThrow(`${records[name].noun} ${id}`);
    await expect(again).rejects.toThrow("adopt: true");
    expect(await bench.ids(collection)).toHaveLength(1);
  });

  each("takes over an identical one when told, without a change to it", async (bench) => {
    const { id, state } = await bench.create(name, full);
    for (const [settings, adopt] of [
      [{ adopt: "identical" }, undefined],
      [{}, true],
    ] as const) {
      bench.newSession(settings);
      await bench.door("requests/reset");
      const adopted = await bench.create(name, { ...full, adopt });
      expect(adopted.id).toBe(id);
      expect(adopted.state).toEqual({ ...state, __written: expect.any(String) });
      expect(Object.keys(bench.emulator.requests())).toEqual([expect.stringMatching(/\.list$/)]);
    }
  });

  each("takes over one of the same name when told, and sets what can be set", async (bench) => {
    const { id } = await bench.create(name, full);
    bench.newSession();
    const { property, to } = changeInPlace(name);
    const change = { [property]: to };
    const adopted = await bench.create(name, { ...full, ...change, adopt: true });
    expect(adopted.id).toBe(id);
    expect(adopted.state).toMatchObject({ ...full, ...change });
    bench.newSession({ adopt: "identical" });
    const other = await bench.create(name, { ...full, ...change, [nameOf(name)]: "Other" });
    expect(other.id).not.toBe(id);
  });

  if (isUnique) {
    each("is refused beside one of the same identity", async (bench) => {
      const { id } = await bench.create(name, full);
      await expect(bench.create(name, full)).rejects.toBeInstanceOf(ConflictError);
      expect(await bench.ids(collection)).toEqual([id]);
    });
  } else {
    each("is created beside a claimed one: two alike in one program are two", async (bench) => {
      const one = await bench.create(name, full);
      const two = await bench.create(name, full);
      expect(two.id).not.toBe(one.id);
      bench.newSession({ adopt: "identical" });
      const third = bench.create(name, full);
      await expect(third).rejects.toThrow("Several records match");
      await expect(third).rejects.toThrow(one.id);
      await expect(third).rejects.toThrow(two.id);
    });
  }

  each("is created once when the answer to its creation is lost", async (bench) => {
    for (const kind of ["drop-after", "truncate"]) {
      const declared = { ...full, [nameOf(name)]: kind };
      await bench.fault({ method: "POST", kind, n: 1 });
      const { state } = await bench.create(name, declared);
      expect(state).toMatchObject(declared);
    }
    expect(await bench.ids(collection)).toHaveLength(2);
  });

  each("is not sent again when its creation was lost on the way, or the service failed", async (bench) => {
    for (const fault of [{ kind: "drop-before" }, { kind: "status", status: 500 }]) {
      bench.newSession({ createOutcomeTimeout: "0.2" });
      await bench.door("requests/reset");
      await bench.fault({ method: "POST", ...fault, n: 10 });
      await expect(bench.create(name, full)).rejects.toBeInstanceOf(UnknownOutcomeError);
      const sent = Object.entries(bench.emulator.requests()).filter(([operation]) => operation.endsWith(".create"));
      expect(sent).toEqual([[expect.any(String), 1]]);
      await bench.door("faults/reset");
    }
    expect(await bench.ids(collection)).toEqual([]);
  });

  each("survives reads, updates and deletes that fail for a while", async (bench) => {
    const { id, state } = await bench.create(name, full);
    for (const method of ["GET", operationsOf(name).update.method, "DELETE"]) {
      await bench.fault({ method, kind: "drop-after", n: 1 });
      await bench.fault({ method, kind: "status", status: 503, n: 1 });
    }
    bench.newSession();
    expect(await bench.life(name).read(id, state)).toBeDefined();
    const { inputs } = bench.life(name).check({ ...full, [nameOf(name)]: "Renamed" });
    expect(await bench.life(name).update(id, state, inputs)).toMatchObject({ [nameOf(name)]: "Renamed" });
    await bench.life(name).delete(id, state);
    expect(await bench.ids(collection)).toEqual([]);
  });

  each("is refused to a role that may only read", async (bench) => {
    bench.newSession({ token: "emulator-read-only-token" });
    await expect(bench.create(name, minimal)).rejects.toBeInstanceOf(ForbiddenError);
  });

  each("fails in part when the service does not do as asked, and says which property", async (bench) => {
    const { id, state } = await bench.create(name, full);
    const { property, to } = changeInPlace(name);
    const { inputs } = bench.life(name).check({ ...full, [property]: to });
    // A service that takes an update and keeps what it had.
    const kind: RecordKind = records[name];
    const stubborn: RecordKind = {
      ...kind,
      requests: {
        ...kind.requests,
        update: (client, of, body, aid) => kind.requests.update(client, of, { ...body, [property]: full[property] }, aid),
      },
    };
    const failure = await new RecordHandler(stubborn, bench.session).update(id, state, inputs).catch((e: unknown) => e);
    expect(failure).toBeInstanceOf(PartialFailure);
    const { __service, __written, ...held } = state;
    expect(failure).toMatchObject({ id, state: held, reasons: [expect.stringContaining(`${property}: sent `)] });
    // An adoption ends in the same words, and not in others around them.
    const adopting = new RecordHandler(stubborn, bench.newSession()).create({
      ...inputs,
      [nameOf(name)]: full[nameOf(name)],
      adopt: true,
    });
    const adopted = await adopting.catch((e: unknown) => e);
    expect(adopted).toMatchObject({ id, reasons: [expect.stringMatching(new RegExp(`^${property}: sent `))] });
  });
});

describe("a partial creation", () => {
  each("is kept, with what exists and what is missing", async (bench) => {
    await bench.fault({ method: "PATCH", kind: "status", status: 400, n: 1 });
    const failure = await bench
      .create("agentToServerTest", { testName: "T", server: "example.com", isEnabled: false })
      .catch((e: unknown) => e);
    expect(failure).toBeInstanceOf(PartialFailure);
    const { id, state, reasons } = failure as PartialFailure;
    expect(await bench.ids("agent-to-server-tests")).toEqual([id]);
    expect(state).toMatchObject({ testName: "T", isEnabled: true });
    expect(reasons.join()).toContain("isEnabled could not be set");
    const { inputs } = bench.life("agentToServerTest").check({ testName: "T", server: "example.com", isEnabled: false });
    expect(await bench.life("agentToServerTest").update(id, state, inputs)).toMatchObject({ isEnabled: false });
  });

  each("is adopted after a crash between create and update", async (bench) => {
    await bench.create("agentToServerTest", { testName: "T", server: "example.com" });
    bench.newSession({ adopt: "identical" });
    const { state } = await bench.create("agentToServerTest", { testName: "T", server: "example.com", isEnabled: false });
    expect(state).toMatchObject({ isEnabled: false });
    expect(await bench.ids("agent-to-server-tests")).toHaveLength(1);
  });
});

each("refuses to adopt what only a replacement could bring in line", async (bench) => {
  const { id } = await bench.create("dynamicTest", { testName: "T", application: "zoom", maxMachines: 5 });
  bench.newSession();
  const adopting = bench.create("dynamicTest", { testName: "T", application: "zoom", maxMachines: 6, adopt: true });
  await expect(adopting).rejects.toThrow(`The dynamic test ${id} cannot be adopted: it differs in maxMachines`);
});

each(
  "reports a conflict of names as one",
  async (bench) => {
    await bench.create("agentToServerTest", { testName: "T", server: "a.example.com" });
    const other = bench.create("agentToServerTest", { testName: "T", server: "b.example.com" });
    await expect(other).rejects.toBeInstanceOf(ConflictError);
  },
  { uniqueTestNames: true },
);

each("adopts as identical no record that differs in what an update sets", async (bench) => {
  const test = { testName: "VPN", server: "vpn.example.com" };
  const { id } = await bench.create("agentToServerTest", { ...test, interval: 300 });
  bench.newSession({ adopt: "identical" });
  const other = await bench.create("agentToServerTest", { ...test, interval: 600 });
  expect(await bench.ids("agent-to-server-tests")).toEqual([id, other.id]);
});

each("finds no record in the list of its session once it has deleted it", async (bench) => {
  const { id, state } = await bench.create("label", { name: "Office", matchType: "or", filters: [] });
  await bench.life("label").delete(id, state);
  expect(await bench.life("label").read(id, state)).toBeUndefined();
});

each("reads by an id alone without knowing what the service never returns", async (bench) => {
  const test = { testName: "T", url: "https://example.com", authType: "basic", username: "u", password: "s3cret" };
  const { id, state } = await bench.create("httpServerTest", test);
  expect(state).not.toHaveProperty("unknownFields");
  bench.newSession();
  expect((await bench.life("httpServerTest").read(id, {}))?.state["unknownFields"]).toEqual(records.httpServerTest.writeOnly);
});

each("knows a password that an update declares with something else", async (bench) => {
  const test = { testName: "T", url: "https://example.com", authType: "basic", username: "u" };
  const { id, state } = await bench.create("httpServerTest", test);
  const life = bench.life("httpServerTest");
  const { inputs } = life.check({ ...test, password: "s3cret", interval: 600 });
  const updated = await life.update(id, { ...state, unknownFields: ["password"] }, inputs);
  expect(updated).toMatchObject({ interval: 600, password: "s3cret" });
  expect(updated).not.toHaveProperty("unknownFields");
});

test("the account group of a test is that of the answer, if it has one", () => {
  const context = { fallback: {}, accountGroupId: "1001", unknownFields: [], unmanagedFields: [] };
  const groupIn = (record: object) => stateOf(records.agentToServerTest, record, context)["accountGroupId"];
  expect([groupIn({ aid: "1002" }), groupIn({})]).toEqual(["1002", "1001"]);
});

each("adopts by its name the record that is identical, if several have the name", async (bench) => {
  const office = { name: "Office", matchType: "or", filters: [{ key: "hostname", values: ["a*"] }] };
  const { id } = await bench.create("label", office);
  const other = await bench.create("label", { ...office, matchType: "and" });
  bench.newSession();
  expect((await bench.create("label", { ...office, adopt: true })).id).toBe(id);
  expect(await bench.ids("labels")).toEqual([id, other.id]);
});

each("takes a record that existed for no new one, although the answer of the create names it", async (bench) => {
  const { id } = await bench.create("label", { name: "Office", matchType: "or", filters: [] });
  const target = { method: "POST" as const, path: "/v7/endpoint/labels", redact: String };
  const named: RecordKind = {
    ...(records.label as RecordKind),
    requests: {
      ...(records.label as RecordKind).requests,
      create: () => Promise.reject(new UnconfirmedError(target, "has no body", true, { status: 201, id })),
    },
  };
  const handler = new RecordHandler(named, bench.newSession({ createOutcomeTimeout: "0.2" }));
  const created = handler.create({ name: "Office", matchType: "and", filters: [] });
  await expect(created).rejects.toBeInstanceOf(UnknownOutcomeError);
});

each("does not adopt a record that another process has adopted since it was found", async (bench) => {
  const { id } = await bench.create("label", { name: "Office", matchType: "or", filters: [] });
  const log = memoryLog();
  let isFirst = true;
  const shared: OperationLog = {
    problem: undefined,
    append(entry) {
      const others = isFirst && entry?.["do"] === "adopt" ? [{ ...entry, n: "of-another-process" }] : [];
      isFirst &&= others.length === 0;
      return [...others, ...log.append(entry)];
    },
  };
  const session = new Session(bench.session.settings, undefined, shared);
  try {
    const adopting = new RecordHandler(records.label, session).create({
      name: "Office",
      matchType: "or",
      filters: [],
      adopt: true,
    });
    await expect(adopting).rejects.toThrow(`The label of this name, ${id}, is managed by another resource of this program`);
  } finally {
    await session.client.close();
  }
});

each("takes a state of a service that was moved from for its own, and no other state", async (bench) => {
  const { id, state } = await bench.create("label", { name: "Office", matchType: "or", filters: [] });
  bench.newSession({ movedFrom: "https://old.example.com" });
  const life = bench.life("label");
  expect(await life.read(id, { ...state, __service: "https://old.example.com" })).toMatchObject({ id });
  await expect(life.read(id, { ...state, __service: "https://other.example.com" })).rejects.toBeInstanceOf(OtherServiceError);
  // What is no origin is damage: it names no service, and is shown to nobody.
  for (const damaged of ["", "s3cret-", "04da6b54-80e4-46f7-96ec-b56ff0331ba9", "https://other.example.com/path"])
    expect(await life.read(id, { ...state, __service: damaged })).toMatchObject({ id });
});

each("keeps a record in state of whose account group the credentials see nothing", async (bench) => {
  const { id, state } = await bench.create("label", { name: "Office", matchType: "or", filters: [], accountGroupId: "1001" });
  await bench.life("label").delete(id, state);
  bench.newSession();
  const others = { accountGroups: [{ aid: "1009", isCurrentAccountGroup: true }] };
  await bench.fault({ operation: "accountGroups.list", kind: "status", status: 200, body: others });
  await expect(bench.life("label").read(id, { ...state, __written: undefined })).rejects.toThrow(
    "The credentials see no account group 1001, so it is not known whether the label",
  );
});

each("updates an adopted record in what the list of the service leaves out", async (bench) => {
  const test = { testName: "VPN", server: "vpn.example.com" };
  const { id } = await bench.create("agentToServerTest", { ...test, interval: 300 });
  bench.newSession();
  omit(bench.emulator, "tests.agentToServer.list", ["interval"]);
  const adopted = await bench.create("agentToServerTest", { ...test, interval: 600, adopt: true });
  expect(adopted).toMatchObject({ id, state: { interval: 600 } });
  expect((await bench.life("agentToServerTest").read(id, adopted.state))?.state).toMatchObject({ interval: 600 });
  expect(bench.emulator.requests()).toMatchObject({ "tests.agentToServer.create": 1, "tests.agentToServer.update": 1 });
});

each("records a password of an imported test without a request", async (bench) => {
  const { id, state } = await bench.create("httpServerTest", {
    testName: "T",
    url: "https://example.com",
    authType: "basic",
    username: "u",
  });
  const imported = { ...state, targetResponseTime: undefined, unknownFields: ["password", "targetResponseTime"] };
  const declared = { testName: "T", url: "https://example.com", authType: "basic", username: "u" };
  const life = bench.life("httpServerTest");
  // Undeclared, the unknown password is left alone, and the default of the other unknown is no change.
  expect(life.diff(id, imported, life.check(declared).inputs)).toEqual([]);
  const { inputs } = life.check({ ...declared, password: "known-now" });
  expect(life.diff(id, imported, inputs)).toMatchObject([{ property: "password", replaces: false, recordsOnly: true }]);
  await bench.door("requests/reset");
  const updated = await life.update(id, imported, inputs);
  expect(updated).toMatchObject({ password: "known-now", unknownFields: ["targetResponseTime"] });
  expect(bench.emulator.requests()).toEqual({});
  expect(life.diff(id, updated, life.check({ ...declared, password: "rotated" }).inputs)).toMatchObject([{ replaces: true }]);
});

each("asks for the account group once, and records it", async (bench) => {
  await Promise.all(["a", "b", "c"].map((n) => bench.create("label", { name: n, matchType: "or", filters: [] })));
  expect(bench.emulator.requests()).toMatchObject({ "accountGroups.list": 1, "labels.list": 1, "labels.create": 3 });
  bench.newSession({ accountGroupId: "1002" });
  const { state } = await bench.create("label", { name: "d", matchType: "or", filters: [] });
  expect(state).toMatchObject({ accountGroupId: "1002" });
});
