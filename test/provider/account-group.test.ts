import { Bench, everyKind } from "./bench";

it.each(everyKind)(
  "%s lives in the account group it names, whatever the token's own is",
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
