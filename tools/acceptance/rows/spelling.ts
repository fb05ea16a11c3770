import { type Ask, prefix, type TestKind, testKinds } from "../ask";
import type { Json, Row } from "../row";
import { type Answer, type Body } from "../session";

/** A text that services tend to change: with double spaces, capitals, composed and decomposed characters, and an ampersand. */
const text = "VPN  B\u00fcro & Bu\u0308ro ";

/** Returns `as sent` if a record kept the name of its create request; otherwise the record's name. */
async function returned(
  ask: Ask,
  create: (name: string) => Promise<Answer>,
  nameOf: (record: Body) => unknown,
): Promise<string> {
  const name = ` ${ask.name()} ${text}`;
  const back = nameOf((await create(name)).body);
  return back === name ? "as sent" : String(back).replaceAll(prefix, "");
}

async function eachKind(look: (kind: TestKind) => Promise<Json | undefined>): Promise<Json> {
  const seen: Record<string, Json | undefined> = {};
  for (const kind of testKinds) seen[kind] = await look(kind);
  return seen;
}

const filters = [
  { key: "platform", mode: "in", values: ["Windows", "Mac", "Mac"] },
  { key: "hostname", mode: "not-in", values: ["b-*", "A-*"] },
];
const asShown = (record: Body): Json =>
  (record.filters ?? []).map(({ key, mode = "in", values }: Body) => [key, mode, ...(values ?? [])].join(" "));
const filtersAsSent = ["platform in Windows Mac Mac", "hostname not-in b-* A-*"];

/** Assumptions about whether the service changes texts, targets, numbers and lists. */
export const spellingRows: readonly Row[] = [
  {
    id: "spelling-of-label-names",
    topic: "Label names that contain spaces, capitals, `&` or accented characters",
    emulator: "Returned unchanged",
    known: "In recordings, the service returns names without such characters unchanged",
    file: "emulator/routes/labels.ts",
    probe: async (ask) => ({
      name: await returned(
        ask,
        (name) => ask.label({ name }),
        (label) => label.name,
      ),
    }),
    answers: { name: "as sent" },
  },
  {
    id: "spelling-of-tags",
    topic: "Tag keys and descriptions that contain spaces, capitals, `&` or accented characters",
    emulator: "Returned unchanged",
    known: "Not recorded",
    file: "emulator/routes/tags.ts",
    probe: async (ask) => {
      const key = await returned(
        ask,
        (name) => ask.tag({ key: name }),
        (tag) => tag.key,
      );
      const { body } = await ask.tag({ value: " Emea  & Co ", description: " Of  EMEA " });
      return { key, value: body.value, description: body.description };
    },
    answers: { key: "as sent", value: " Emea  & Co ", description: " Of  EMEA " },
  },
  {
    id: "spelling-of-test-names",
    topic: "Test names that contain spaces, capitals, `&` or accented characters",
    emulator: "Returned unchanged",
    known: "Not recorded",
    file: "emulator/routes/tests.ts",
    probe: (ask) =>
      eachKind((kind) =>
        returned(
          ask,
          (testName) => ask.test(kind, { testName }),
          ({ testName }) => testName,
        ),
      ),
    answers: { agentToServer: "as sent", httpServer: "as sent", dynamic: "as sent" },
  },
  {
    id: "server-as-returned",
    topic: "Capital letters in the `server` of a test",
    emulator: "The emulator returns the host name unchanged, and the port in `port`",
    known: "The documentation does not describe how the service normalizes a target",
    file: "emulator/routes/agent-to-server-tests.ts",
    probe: async (ask) => {
      const { body } = await ask.test("agentToServer", { server: "VPN.Example.com", port: 8443 });
      return { server: body.server, port: body.port };
    },
    answers: { server: "VPN.Example.com", port: 8443 },
  },
  {
    id: "numbers-as-returned",
    topic: "`interval` and `maxMachines`",
    emulator: "The emulator returns values within the documented limits unchanged",
    known: "API version 7.0.0 allows at most 5000 agents, and 100000 agents for dynamic tests. Later versions allow 150000",
    file: "emulator/routes/tests.ts",
    probe: (ask) =>
      eachKind(async (kind) => {
        const { body } = await ask.test(kind, { interval: 60, maxMachines: 150_000 });
        return { interval: body.interval, maxMachines: body.agentSelectorConfig?.maxMachines ?? body.maxMachines };
      }),
    answers: Object.fromEntries(testKinds.map((kind) => [kind, { interval: 60, maxMachines: 150_000 }])),
  },
  {
    id: "filters-of-a-label-as-returned",
    topic: "Order, letter case and repeated values in label filters",
    emulator: "Returned unchanged",
    known: "In recordings, the service returns a filter with one value unchanged",
    file: "emulator/routes/labels.ts",
    probe: async (ask) => {
      const { body } = await ask.label({ matchType: "or", filters });
      return { matchType: body.matchType, filters: asShown(body) };
    },
    answers: { matchType: "or", filters: filtersAsSent },
  },
  {
    id: "filters-of-a-tag-as-returned",
    topic: "Order, letter case and repeated values in tag filters",
    emulator: "Returned unchanged",
    known: "Not recorded",
    file: "emulator/routes/tags.ts",
    probe: async (ask) => {
      const { body } = await ask.tag({ filters: filters.map((filter) => ({ ...filter, scope: "default" })) });
      return { matchType: body.matchType, filters: asShown(body) };
    },
    answers: { matchType: "or", filters: filtersAsSent },
  },
];
