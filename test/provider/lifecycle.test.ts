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
import { call } from "../support/call";

skipIdleTime();

const nameOf = (name: keyof typeof records): string => records[name].nameProperty;

describe.each(everyKind)("lifecycle of a %s", (name, { full, minimal, collection, path, isUnique }) => {
  each("the diff is empty after the provider creates the declared record", async (bench) => {
    for (const declared of [full, minimal]) {
      const { id, state, inputs } = await bench.create(name, declared);
      expect(state).toMatchObject(declared);
      expect(bench.life(name).diff(id, state, inputs)).toEqual([]);
      const read = await bench.life(name).read(id, state);
      expect(read?.state).toEqual(state);
      expect(bench.life(name).diff(id, read?.state ?? {}, inputs)).toEqual([]);
    }
  });

  each("a read returns exactly the inputs that the provider's check returned", async (bench) => {
    const declared = { ...full, accountGroupId: "1001" };
    const { id, state, inputs } = await bench.create(name, declared);
    expect((await bench.life(name).read(id, state))?.inputs).toEqual(inputs);
    const bare = await bench.create(name, minimal);
    expect((await bench.life(name).read(bare.id, bare.state))?.inputs).toEqual(bare.inputs);
  });

  each("the provider resets a property to its default if the program removes the property", async (bench) => {
    const { id, state } = await bench.create(name, full);
    const { inputs } = bench.life(name).check({ ...minimal, accountGroupId: "1001" });
    const changed = bench.life(name).diff(id, state, inputs);
    const declared = Object.keys(full).filter((property) => property !== "accountGroupId");
    // The service chooses these values. The provider stops managing them without a change.
    const leftAlone = new Set<string>(records[name].leftToService);
    const differs = (property: string): boolean => JSON.stringify(inputs[property]) !== JSON.stringify(state[property]);
    expect(changed.map(({ property }) => property).toSorted()).toEqual(
      declared.filter((property) => !leftAlone.has(property) && differs(property)).toSorted(),
    );
  });

  each("the provider can delete a record repeatedly, and then reports the record as missing", async (bench) => {
    const { id, state } = await bench.create(name, minimal);
    await bench.life(name).delete(id, state);
    await bench.life(name).delete(id, state);
    expect(await bench.life(name).read(id, state)).toBeUndefined();
    expect(await bench.ids(collection)).toEqual([]);
    const { inputs } = bench.life(name).check({ ...minimal, accountGroupId: "1001" });
    await expect(bench.life(name).update(id, state, inputs)).rejects.toBeInstanceOf(GoneError);
  });

  each("the provider reports a deletion only after a get request", async (bench) => {
    const { id, state } = await bench.create(name, minimal);
    bench.newSession();
    await bench.life(name).read("1", state);
    await bench.door("requests/reset");
    // Another user creates the record after the list was read.
    const body = bodyOf(name, { ...minimal, [nameOf(name)]: "Later" });
    const later = (await call(bench.emulator.url, "POST", path, body)) as object;
    const read = await bench.life(name).read(idOf(name, later), state);
    expect(read?.state[nameOf(name)]).toBe("Later");
    expect(await bench.life(name).read(id, state)).toBeDefined();
    // One create and one get, without a list.
    expect(Object.values(bench.emulator.requests()).reduce((a, b) => a + b, 0)).toBe(2);
  });

  each("the provider rejects a second identical record", async (bench) => {
    const { id } = await bench.create(name, full);
    bench.newSession();
    const again = bench.create(name, full);
    await expect(again).rejects.toBeInstanceOf(DuplicateError);
    await expect(again).rejects.toThrow(`${records[name].noun} ${id}`);
    await expect(again).rejects.toThrow("adopt: true");
    expect(await bench.ids(collection)).toHaveLength(1);
  });

  each("the provider adopts an identical record without a change if adopt is set", async (bench) => {
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

  each("the provider adopts and updates a record with the same name if adopt is true", async (bench) => {
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
    each("the provider refuses to create a record if another record has the same identity", async (bench) => {
      const { id } = await bench.create(name, full);
      await expect(bench.create(name, full)).rejects.toBeInstanceOf(ConflictError);
      expect(await bench.ids(collection)).toEqual([id]);
    });
  } else {
    each("the provider creates a second record for a second identical resource of the program", async (bench) => {
      const first = await bench.create(name, full);
      const two = await bench.create(name, full);
      expect(two.id).not.toBe(first.id);
      bench.newSession({ adopt: "identical" });
      const third = bench.create(name, full);
      await expect(third).rejects.toThrow("Several records match");
      await expect(third).rejects.toThrow(first.id);
      await expect(third).rejects.toThrow(two.id);
    });
  }

  each("the provider creates only one record if the response to the create request is lost", async (bench) => {
    for (const kind of ["drop-after", "truncate"]) {
      const declared = { ...full, [nameOf(name)]: kind };
      await bench.fault({ method: "POST", kind, n: 1 });
      const { state } = await bench.create(name, declared);
      expect(state).toMatchObject(declared);
    }
    expect(await bench.ids(collection)).toHaveLength(2);
  });

  each("the provider does not repeat a create request that failed or got no response", async (bench) => {
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

  each("the provider retries reads, updates and deletes that fail temporarily", async (bench) => {
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

  each("the provider reports a create request with a read-only role as forbidden", async (bench) => {
    bench.newSession({ token: "emulator-read-only-token" });
    await expect(bench.create(name, minimal)).rejects.toBeInstanceOf(ForbiddenError);
  });

  each("the provider names the property that an update could not change", async (bench) => {
    const { id, state } = await bench.create(name, full);
    const { property, to } = changeInPlace(name);
    const { inputs } = bench.life(name).check({ ...full, [property]: to });
    // A service that accepts an update and keeps the previous values.
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
    // An adoption fails with the same message.
    const adopting = new RecordHandler(stubborn, bench.newSession()).create({
      ...inputs,
      [nameOf(name)]: full[nameOf(name)],
      adopt: true,
    });
    const adopted = await adopting.catch((e: unknown) => e);
    expect(adopted).toMatchObject({ id, reasons: [expect.stringMatching(new RegExp(`^${property}: sent `))] });
  });
});

describe("a partly failed creation", () => {
  each("the state contains the record and the failed property", async (bench) => {
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

  each("the next update adopts the record after a crash between create and update", async (bench) => {
    await bench.create("agentToServerTest", { testName: "T", server: "example.com" });
    bench.newSession({ adopt: "identical" });
    const { state } = await bench.create("agentToServerTest", { testName: "T", server: "example.com", isEnabled: false });
    expect(state).toMatchObject({ isEnabled: false });
    expect(await bench.ids("agent-to-server-tests")).toHaveLength(1);
  });
});

each("the provider rejects an adoption that requires a replacement", async (bench) => {
  const { id } = await bench.create("dynamicTest", { testName: "T", application: "zoom", maxMachines: 5 });
  bench.newSession();
  const adopting = bench.create("dynamicTest", { testName: "T", application: "zoom", maxMachines: 6, adopt: true });
  await expect(adopting).rejects.toThrow(`The dynamic test ${id} cannot be adopted, because it differs in maxMachines`);
});

each(
  "the provider reports a name conflict as a ConflictError",
  async (bench) => {
    await bench.create("agentToServerTest", { testName: "T", server: "a.example.com" });
    const other = bench.create("agentToServerTest", { testName: "T", server: "b.example.com" });
    await expect(other).rejects.toBeInstanceOf(ConflictError);
  },
  { uniqueTestNames: true },
);

each("the provider with adopt: identical does not adopt a record with a different interval", async (bench) => {
  const test = { testName: "VPN", server: "vpn.example.com" };
  const { id } = await bench.create("agentToServerTest", { ...test, interval: 300 });
  bench.newSession({ adopt: "identical" });
  const other = await bench.create("agentToServerTest", { ...test, interval: 600 });
  expect(await bench.ids("agent-to-server-tests")).toEqual([id, other.id]);
});

each("the provider reports its deleted record as missing although an outdated list contains the record", async (bench) => {
  const { id, state } = await bench.create("label", { name: "Office", matchType: "or", filters: [] });
  await bench.life("label").delete(id, state);
  expect(await bench.life("label").read(id, state)).toBeUndefined();
});

each("the provider lists write-only properties as unknown after an import", async (bench) => {
  const test = { testName: "T", url: "https://example.com", authType: "basic", username: "u", password: "s3cret" };
  const { id, state } = await bench.create("httpServerTest", test);
  expect(state).not.toHaveProperty("unknownFields");
  bench.newSession();
  expect((await bench.life("httpServerTest").read(id, {}))?.state["unknownFields"]).toEqual(records.httpServerTest.writeOnly);
});

each("the provider stores a password that an update sets with another property", async (bench) => {
  const test = { testName: "T", url: "https://example.com", authType: "basic", username: "u" };
  const { id, state } = await bench.create("httpServerTest", test);
  const life = bench.life("httpServerTest");
  const { inputs } = life.check({ ...test, password: "s3cret", interval: 600 });
  const updated = await life.update(id, { ...state, unknownFields: ["password"] }, inputs);
  expect(updated).toMatchObject({ interval: 600, password: "s3cret" });
  expect(updated).not.toHaveProperty("unknownFields");
});

test("the state of a test contains the account group from the service's response", () => {
  const context = { fallback: {}, accountGroupId: "1001", unknownFields: [], unmanagedFields: [] };
  const groupIn = (record: object) => stateOf(records.agentToServerTest, record, context)["accountGroupId"];
  expect([groupIn({ aid: "1002" }), groupIn({})]).toEqual(["1002", "1001"]);
});

each("the provider adopts the identical record if several records have its name", async (bench) => {
  const office = { name: "Office", matchType: "or", filters: [{ key: "hostname", values: ["a*"] }] };
  const { id } = await bench.create("label", office);
  const other = await bench.create("label", { ...office, matchType: "and" });
  bench.newSession();
  expect((await bench.create("label", { ...office, adopt: true })).id).toBe(id);
  expect(await bench.ids("labels")).toEqual([id, other.id]);
});

each("the provider does not accept an older record as the result of a create request", async (bench) => {
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

each("the provider does not adopt a record that another process has just adopted", async (bench) => {
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
    await expect(adopting).rejects.toThrow(`Another resource of this program manages the label with this name (${id})`);
  } finally {
    await session.client.close();
  }
});

each("the provider accepts the state of another service only if movedFrom lists the service", async (bench) => {
  const { id, state } = await bench.create("label", { name: "Office", matchType: "or", filters: [] });
  bench.newSession({ movedFrom: "https://old.example.com" });
  const life = bench.life("label");
  expect(await life.read(id, { ...state, __service: "https://old.example.com" })).toMatchObject({ id });
  await expect(life.read(id, { ...state, __service: "https://other.example.com" })).rejects.toBeInstanceOf(OtherServiceError);
  // A value that is not an origin is damaged. It names no service, and no message shows it.
  for (const damaged of ["", "s3cret-", "04da6b54-80e4-46f7-96ec-b56ff0331ba9", "https://other.example.com/path"])
    expect(await life.read(id, { ...state, __service: damaged })).toMatchObject({ id });
});

each("a resource stays in the state if the credentials cannot see its account group", async (bench) => {
  const { id, state } = await bench.create("label", { name: "Office", matchType: "or", filters: [], accountGroupId: "1001" });
  await bench.life("label").delete(id, state);
  bench.newSession();
  const others = { accountGroups: [{ aid: "1009", isCurrentAccountGroup: true }] };
  await bench.fault({ operation: "accountGroups.list", kind: "status", status: 200, body: others });
  await expect(bench.life("label").read(id, { ...state, __written: undefined })).rejects.toThrow(
    "The credentials have no access to account group 1001, so it is not known whether the label",
  );
});

each("the provider updates properties of an adopted record that the list omits", async (bench) => {
  const test = { testName: "VPN", server: "vpn.example.com" };
  const { id } = await bench.create("agentToServerTest", { ...test, interval: 300 });
  bench.newSession();
  omit(bench.emulator, "tests.agentToServer.list", ["interval"]);
  const adopted = await bench.create("agentToServerTest", { ...test, interval: 600, adopt: true });
  expect(adopted).toMatchObject({ id, state: { interval: 600 } });
  expect((await bench.life("agentToServerTest").read(id, adopted.state))?.state).toMatchObject({ interval: 600 });
  expect(bench.emulator.requests()).toMatchObject({ "tests.agentToServer.create": 1, "tests.agentToServer.update": 1 });
});

each("the provider stores the password of an imported test without a request", async (bench) => {
  const { id, state } = await bench.create("httpServerTest", {
    testName: "T",
    url: "https://example.com",
    authType: "basic",
    username: "u",
  });
  const imported = { ...state, targetResponseTime: undefined, unknownFields: ["password", "targetResponseTime"] };
  const declared = { testName: "T", url: "https://example.com", authType: "basic", username: "u" };
  const life = bench.life("httpServerTest");
  // Omitting the unknown password keeps it, and the default of the other unknown property is not a change.
  expect(life.diff(id, imported, life.check(declared).inputs)).toEqual([]);
  const { inputs } = life.check({ ...declared, password: "known-now" });
  expect(life.diff(id, imported, inputs)).toMatchObject([{ property: "password", replaces: false, recordsOnly: true }]);
  await bench.door("requests/reset");
  const updated = await life.update(id, imported, inputs);
  expect(updated).toMatchObject({ password: "known-now", unknownFields: ["targetResponseTime"] });
  expect(bench.emulator.requests()).toEqual({});
  expect(life.diff(id, updated, life.check({ ...declared, password: "rotated" }).inputs)).toMatchObject([{ replaces: true }]);
});

each("the provider requests the account group once and stores it in the state", async (bench) => {
  await Promise.all(["a", "b", "c"].map((n) => bench.create("label", { name: n, matchType: "or", filters: [] })));
  expect(bench.emulator.requests()).toMatchObject({ "accountGroups.list": 1, "labels.list": 1, "labels.create": 3 });
  bench.newSession({ accountGroupId: "1002" });
  const { state } = await bench.create("label", { name: "d", matchType: "or", filters: [] });
  expect(state).toMatchObject({ accountGroupId: "1002" });
});
