import { check } from "../../provider/check";
import type { Kind } from "../../provider/kind";
import { registry } from "../../provider/registry";
import { Bench, each, everyKind } from "../provider/bench";

it.each(everyKind)(
  "a %s uses its own accountGroupId instead of the token's default account group",
  async (name, { minimal, collection }) => {
    const bench = await Bench.start();
    try {
      const { id, state } = await bench.create(name, { ...minimal, accountGroupId: "1002" });
      bench.newSession();
      expect((await bench.life(name).read(id, state))?.state).toMatchObject({ accountGroupId: "1002" });
      await bench.life(name).delete(id, state);
      expect(await bench.ids(collection)).toEqual([]);
    } finally {
      await bench.end();
    }
  },
);

it.each(Object.entries<Kind>(registry))(
  "a %s inherits the stack's accountGroupId unless its resource type excludes that default",
  (_, kind) => {
    const { inputs, failures } = check(kind, {}, { accountGroupId: "1002" });
    const takes = "accountGroupId" in kind.properties && kind.takesDefaultAccountGroup !== false;
    expect(inputs["accountGroupId"]).toBe(takes ? "1002" : undefined);
    expect(failures.filter(({ path }) => path === "accountGroupId")).toEqual([]);
  },
);

each("a resource without accountGroupId uses the token's current or default account group", async (bench) => {
  const [current, standard] = [
    { aid: "1002", isCurrentAccountGroup: true },
    { aid: "1001", isDefaultAccountGroup: true },
  ];
  for (const [accountGroups, expected] of [
    [[standard, current], "1002"],
    [[{ aid: "1003" }, standard], "1001"],
    [[{ aid: "1003" }], undefined],
  ] as const) {
    await bench.fault({ operation: "accountGroups.list", kind: "status", status: 200, body: { accountGroups } });
    expect(await bench.newSession().accountGroupId()).toBe(expected);
  }
});
