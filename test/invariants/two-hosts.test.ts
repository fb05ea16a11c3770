/** One service has two host names. Changes to a program's providers never lose a live record. */
import { messageOf } from "../../common/text";
import { EngineModel, type Program } from "../provider/engine-model";
import { ServiceView } from "../provider/service-view";

const fronts = ["dynamic", "native"] as const;
type Front = (typeof fronts)[number];
type Change = (front: Front) => Program;

const label = (front: Front, provider: string | undefined, rest: object = {}, args: object = {}): Program[string] => ({
  kind: "label",
  front,
  provider,
  args: { name: "Office", matchType: "or", filters: [], ...args },
  ...rest,
});
const adopting = { adopt: true };

interface Move {
  before?: Change;
  after: Change;
  settings?: Record<string, string>;
  movesStack?: true;
  /** The error that remains with movedFrom: the program does not adopt the record, or declares it twice. */
  fails?: RegExp;
}

/** Changes to a program with the label `office` of the provider `first`. The provider `second` has the other host name. */
const changes: Record<string, Move> = {
  "rename with adoption": { after: (front) => ({ lobby: label(front, "second", {}, adopting) }) },
  "rename without adoption": {
    after: (front) => ({ lobby: label(front, "second") }),
    fails: /^An identical record exists already/,
  },
  "rename, new resource first": {
    after: (front) => ({ lobby: label(front, "second", {}, adopting), third: label(front, "first", {}, { name: "Third" }) }),
  },
  alias: { after: (front) => ({ lobby: label(front, "second", { alias: "office" }) }) },
  "adoption next to the first resource": {
    after: (front) => ({ office: label(front, "first"), lobby: label(front, "second", {}, adopting) }),
    fails: /Another resource of this program manages the label with this name/,
  },
  "adoption before the first resource": {
    after: (front) => ({ lobby: label(front, "second", {}, adopting), office: label(front, "first") }),
    fails: /^Two Label resources of this program manage/,
  },
  "adopt: identical": { after: (front) => ({ lobby: label(front, "second") }), settings: { adopt: "identical" } },
  "provider change": { after: (front) => ({ office: label(front, "second") }) },
  "provider change with another name": { after: (front) => ({ office: label(front, "second", {}, { name: "Lobby" }) }) },
  "change of the provider type": { after: (front) => ({ office: label(other(front), "second", {}, adopting) }) },
  "change of the base URL": {
    before: (front) => ({ office: label(front, undefined), kept: label(front, "first", {}, { name: "Kept" }) }),
    after: (front) => ({ lobby: label(front, undefined, {}, adopting), kept: label(front, "first", {}, { name: "Kept" }) }),
    movesStack: true,
  },
};

function other(front: Front): Front {
  return front === "dynamic" ? "native" : "dynamic";
}

describe.each(fronts)("two host names with %s resources", (front) => {
  test("an update without movedFrom fails if two resources use one record through different host names", async () => {
    const service = await ServiceView.start();
    const engine = new EngineModel(service);
    engine.providers["second"] = { baseUrl: service.emulator.url.replace("127.0.0.1", "localhost") };
    const office = { office: label(front, undefined) };
    await engine.up(office);
    const shared = { lobby: label(front, "second", {}, adopting), ...office };
    for (const _ of ["adopted", "in the state"])
      await expect(engine.up(shared)).rejects.toThrow(/^Two Label resources .*127\.0\.0\.1.*localhost/);
    expect(new Set(engine.ids()).size).toBe(1);
    // Follows the message's advice.
    for (const { name, urn } of engine.state.values()) if (name === "lobby") engine.state.delete(urn);
    await engine.up(office);
    expect([...service.records().values()].filter(({ kind }) => kind === "label")).toHaveLength(1);
    await service.emulator.close();
  });

  describe.each([true, false])("updates with movedFrom set: %s", (hasMovedFrom) => {
    let service: ServiceView;
    let settings: Record<string, string | undefined>;
    let engine: EngineModel;
    beforeEach(async () => {
      service = await ServiceView.start();
      settings = {};
      engine = new EngineModel(service, settings);
      engine.providers["first"] = { baseUrl: service.emulator.url };
    });
    afterEach(() => service.emulator.close());

    const recordIds = (): string[] =>
      [...service.records().values()].filter(({ kind }) => kind === "label").map(({ id }) => id);
    const attempt = async (work: Promise<void>): Promise<string | undefined> => work.then(() => undefined, messageOf);

    test.each(Object.entries(changes))(
      "an update never loses the record: %s",
      async (_, { before, after, settings: more, movesStack, fails = /^$/ }) => {
        await engine.up((before ?? ((of) => ({ office: label(of, "first") })))(front));
        const [lived = ""] = engine.ids();
        const home = service.emulator.url;
        const moved = { baseUrl: home.replace("127.0.0.1", "localhost"), ...(hasMovedFrom && { movedFrom: home }), ...more };
        engine.providers["second"] = moved;
        if (movesStack) Object.assign(settings, moved);
        const known: string[] = [];
        for (const operation of [{}, { continueOnError: true }, { refresh: true, continueOnError: true }]) {
          const problem = await attempt(engine.up(after(front), operation));
          expect(recordIds()).toContain(lived);
          if (hasMovedFrom) known.push(problem ?? "");
          // Each id in the state belongs to a live record.
          const live = new Set(recordIds());
          expect([problem, engine.ids().filter((id) => !live.has(id))]).toEqual([problem, []]);
        }
        // With movedFrom, an update finally applies the program, or its message explains why it cannot.
        Object.assign(engine.providers["second"], { movedFrom: home });
        if (movesStack) Object.assign(settings, { movedFrom: home });
        const problem = await attempt(engine.up(after(front), { continueOnError: true }));
        expect(recordIds()).toContain(lived);
        expect([...known, problem ?? ""].filter((text) => text.includes("set the property movedFrom"))).toEqual([]);
        expect(problem ?? "").toMatch(fails);
        await attempt(engine.destroy());
        await attempt(engine.destroy());
        expect(recordIds()).toEqual([]);
      },
    );
  });
});
