import { paths } from "../ask";
import { type Row } from "../row";
import { type Body, missing } from "../session";

export const labelsRows: readonly Row[] = [
  {
    id: "label-pages",
    topic: "List of labels",
    emulator:
      "A page contains 100 labels by default, and at most 1,000 labels with `max`. A request with an unknown cursor returns status 400",
    known: "The documentation describes paging, but not the page limits",
    file: "emulator/pages.ts",
    probe: async (ask) => {
      for (let made = 0; made < 3; made += 1) await ask.label();
      const page = await ask.get(paths.label, { max: "2" });
      const large = await ask.get(paths.label, { max: "100000" });
      const wrong = await ask.get(paths.label, { cursor: "nonsense" });
      return {
        rows: new Set(page.body.labels.map(({ id }: Body) => id)).size,
        hasNext: page.body._links?.next !== undefined,
        largePage: large.status,
        unknownCursor: wrong.status,
      };
    },
    answers: { rows: 2, hasNext: true, largePage: 200, unknownCursor: 400 },
  },
  {
    id: "wrong-max-and-expand",
    topic: "`max` below 1, or an unknown value of `expand`",
    emulator: "The emulator returns status 400 with the text of the recorded response to `max=text`",
    known: "Not recorded",
    file: "emulator/routes/labels.ts",
    probe: async (ask) => {
      const max = await ask.get(paths.label, { max: "0" });
      const expand = await ask.get(paths.label, { expand: "nonsense" });
      return { max: [max.status, max.body?.detail], expand: [expand.status, expand.body?.detail] };
    },
    answers: {
      max: [400, "Wrong type for path parameter max"],
      expand: [400, "Wrong type for path parameter expand"],
    },
  },
  {
    id: "label-color",
    topic: "Color of a label",
    emulator: "The emulator accepts `#rrggbb` in upper and lower case, and returns the color unchanged",
    known: "In the recordings, the service refuses colors that do not have the format `#rrggbb`",
    file: "emulator/routes/labels.ts",
    probe: async (ask) => {
      const kept = await ask.label({ color: "#AbCdEf" });
      const word = await ask.label({ color: "red" });
      const short = await ask.label({ color: "#abc" });
      return { kept: kept.body.color, word: word.status, short: short.status };
    },
    answers: { kept: "#AbCdEf", word: 400, short: 400 },
  },
  {
    id: "filter-without-mode",
    topic: "Label filter without `mode`",
    emulator: "Stored as `in`",
    known: "Not recorded",
    file: "emulator/routes/labels.ts",
    probe: async (ask) => {
      const { status, body } = await ask.label({ filters: [{ key: "hostname", values: [missing.uuid] }] });
      return { status, mode: body.filters?.[0]?.mode };
    },
    answers: { status: 201, mode: "in" },
  },
  {
    id: "filter-key-and-mode",
    topic: "Label filter with an unknown key or mode",
    emulator:
      "A create request with an unknown key succeeds, because newer API versions may have more keys. A create request with an unknown mode returns status 400",
    known: "Not recorded",
    file: "emulator/routes/labels.ts",
    probe: async (ask) => {
      const filter = { key: "hostname", mode: "in", values: [missing.uuid] };
      const key = await ask.label({ filters: [{ ...filter, key: "nonsense" }] });
      const mode = await ask.label({ filters: [{ ...filter, mode: "nonsense" }] });
      return { key: key.status, mode: mode.status };
    },
    answers: { key: 201, mode: 400 },
  },
  {
    id: "label-names",
    topic: "Names of labels",
    emulator: "The emulator accepts any name that is not empty. Two labels may have the same name",
    known: "The UI allows 64 characters",
    file: "emulator/routes/labels.ts",
    probe: async (ask) => {
      const empty = await ask.label({ name: "" });
      const name = ask.name();
      const first = await ask.label({ name });
      const second = await ask.label({ name });
      const long = await ask.label({ name: name.padEnd(65, "x") });
      return { empty: empty.status, first: first.status, second: second.status, of65: long.status };
    },
    answers: { empty: 400, first: 201, second: 201, of65: 201 },
  },
  {
    id: "patch-of-filters",
    topic: "PATCH request with `filters`",
    emulator: "Replaces the whole array",
    known: "Not recorded",
    file: "emulator/routes/labels.ts",
    probe: async (ask) => {
      const filter = (value: string): object => ({ key: "hostname", mode: "in", values: [value] });
      const made = await ask.label({ filters: [filter("first"), filter("second")] });
      const path = `${paths.label}/${made.body.id}`;
      const { status } = await ask.patch(path, { filters: [filter("third")] });
      const { body } = await ask.get(path, { expand: "filters" });
      return { status, values: body.filters.map(({ values }: Body) => values) };
    },
    answers: { status: 200, values: [["third"]] },
  },
  {
    id: "null-in-a-body",
    topic: "`null` in a body",
    emulator: "400",
    known: "Not recorded",
    file: "api/schemas/labels.ts",
    probe: async (ask) => {
      const created = await ask.label({ color: null });
      const made = await ask.label();
      const patched = await ask.patch(`${paths.label}/${made.body.id}`, { color: null });
      const { testId } = await ask.plain("agentToServer");
      const test = await ask.patch(`${paths.agentToServer}/${testId}`, { testName: null });
      return { create: created.status, patch: patched.status, test: test.status };
    },
    answers: { create: 400, patch: 400, test: 400 },
  },
];
