import { paths } from "../ask";
import { type Json, type Row } from "../row";
import { type Answer, missing } from "../session";
import { eachPlain, membersOf, namedIn } from "./parts";

const plainDefaults = {
  interval: 60,
  protocol: "icmp",
  tcpProbeMode: "auto",
  isEnabled: true,
  isPrioritized: false,
  networkMeasurements: true,
  port: 443,
  maxMachines: 25,
};

/** Assumptions about limits, defaults and texts, which emulator/DIFFERENCES.md does not list. */
export const limitsRows: readonly Row[] = [
  {
    id: "limit-defaults-of-tests",
    topic: "Defaults of a test with only a target",
    emulator: "As documented",
    known: "Documented",
    file: "emulator/routes/tests.ts",
    listed: false,
    probe: async (ask) =>
      eachPlain(
        ask,
        ({ interval, protocol, tcpProbeMode, isEnabled, isPrioritized, networkMeasurements, port, agentSelectorConfig }) => ({
          interval,
          protocol,
          tcpProbeMode,
          isEnabled,
          isPrioritized,
          networkMeasurements,
          port,
          maxMachines: agentSelectorConfig?.maxMachines,
        }),
      ),
    answers: {
      agentToServer: plainDefaults,
      httpServer: plainDefaults,
      dynamic: { ...plainDefaults, port: undefined },
    },
  },
  {
    id: "limit-defaults-of-http-tests",
    topic: "Defaults of an HTTP test",
    emulator: "As documented",
    known: "Documented",
    file: "emulator/routes/http-server-tests.ts",
    listed: false,
    probe: async (ask) => {
      const { authType, httpTimeLimit, sslVersionId, sslVersion, verifyCertificate, useNtlm } = await ask.plain("httpServer");
      return { authType, httpTimeLimit, sslVersionId, sslVersion, verifyCertificate, useNtlm };
    },
    answers: {
      authType: "none",
      httpTimeLimit: 5000,
      sslVersionId: "0",
      sslVersion: "Auto",
      verifyCertificate: true,
      useNtlm: false,
    },
  },
  {
    id: "limit-default-color",
    topic: "Label without a color",
    emulator: "#d9d9d9",
    known: "Recorded",
    file: "emulator/routes/labels.ts",
    listed: false,
    probe: async (ask) => ({ color: (await ask.label()).body.color }),
    answers: { color: "#d9d9d9" },
  },
  {
    id: "limit-length-of-names",
    topic: "Names of 256 and of 1,000 characters",
    emulator: "Accepted",
    known: "The UI allows 64 characters for a label",
    file: "emulator/routes/tests.ts",
    listed: false,
    probe: async (ask) => {
      const of = (length: number): string => ask.name().padEnd(length, "x");
      const labels = [await ask.label({ name: of(256) }), await ask.label({ name: of(1000) })];
      const tests = [
        await ask.test("agentToServer", { testName: of(256) }),
        await ask.test("agentToServer", { testName: of(1000) }),
      ];
      return { labels: labels.map(({ status }) => status), tests: tests.map(({ status }) => status) };
    },
    answers: { labels: [201, 201], tests: [201, 201] },
  },
  {
    id: "limit-numbers",
    topic: "Ports, intervals and numbers of agents outside their limits",
    emulator: "Refused",
    known: "Documented for ports and intervals",
    file: "api/schemas/tests.ts",
    listed: false,
    probe: async (ask) => {
      const refused = async (over: object): Promise<number> => (await ask.test("agentToServer", over)).status;
      return {
        port0: await refused({ port: 0 }),
        port65536: await refused({ port: 65_536 }),
        interval61: await refused({ interval: 61 }),
        maxMachines0: await refused({ maxMachines: 0 }),
      };
    },
    answers: { port0: 400, port65536: 400, interval61: 400, maxMachines0: 400 },
  },
  {
    id: "limit-missing-members",
    topic: "Create requests without a required member",
    emulator: "400 with the member's name. Labels have one fixed sentence",
    known: "Recorded for labels",
    file: "emulator/problem.ts",
    listed: false,
    probe: async (ask) => {
      const label = await ask.post(paths.label, { matchType: "or", filters: [] });
      const test = await ask.post(paths.agentToServer, { server: "www.example.com" });
      return {
        label: [label.status, label.body?.detail],
        test: [test.status, namedIn(test.body, ["testName", "server"])],
      };
    },
    answers: { label: [400, "Required request body is missing mandatory field"], test: [400, ["testName"]] },
  },
  {
    id: "limit-text-of-403",
    topic: "Text of a 403",
    emulator: "A problem body with five members",
    known: "The members are documented, the text is not",
    file: "emulator/problem.ts",
    listed: false,
    probe: async (ask) => {
      const { status, headers, body } = await ask.get(paths.label, undefined, { aid: missing.id });
      return { status, type: headers["content-type"]?.split(";")[0], members: membersOf(body), detail: body?.detail };
    },
    answers: {
      status: 403,
      type: "application/problem+json",
      members: ["detail", "status", "title"],
      detail: "You are not assigned to this account group.",
    },
  },
  {
    id: "limit-text-of-404",
    topic: "Text of a 404",
    emulator: "The account group and the id for labels, and only the status for tests",
    known: "Recorded for labels, and for tests of a neighboring API",
    file: "emulator/problem.ts",
    listed: false,
    probe: async (ask) => {
      const label = await ask.get(`${paths.label}/${missing.id}`, undefined, { exact: true });
      const test = await ask.get(`${paths.agentToServer}/${missing.id}`, undefined, { exact: true });
      const words = ({ status, body }: Answer): Json => [
        status,
        body?.title ?? null,
        String(body?.detail).replace(ask.access.accountGroupId, "AID"),
      ];
      return { label: words(label), test: words(test) };
    },
    answers: {
      label: [404, "Not found", "Label in account: AID and id: 1 was not found."],
      test: [404, "404 Not Found", "undefined"],
    },
  },
  {
    id: "limit-second-delete",
    topic: "Second delete of a record",
    emulator: "204, then 404",
    known: "The first delete is recorded",
    file: "emulator/store.ts",
    listed: false,
    probe: async (ask) => {
      const { body } = await ask.label();
      const path = `${paths.label}/${body.id}`;
      const first = await ask.delete(path);
      const second = await ask.delete(`${paths.label}/${missing.id}`);
      return { first: first.status, unknown: second.status, get: (await ask.get(path)).status };
    },
    answers: { first: 204, unknown: 404, get: 404 },
  },
  {
    id: "limit-unknown-members",
    topic: "Unknown members of a body, and unknown parameters",
    emulator: "Ignored",
    known: "Recorded for labels",
    file: "emulator/request.ts",
    listed: false,
    probe: async (ask) => {
      const label = await ask.label({ unknown: 1 });
      const test = await ask.test("agentToServer", { unknown: 1 });
      const list = await ask.get(paths.label, { unknown: "1" });
      return { label: label.status, test: test.status, list: list.status };
    },
    answers: { label: 201, test: 201, list: 200 },
  },
  {
    id: "limit-match-type",
    topic: "Letter case of `matchType`",
    emulator: "Refuses AND",
    known: "Recorded",
    file: "api/schemas/labels.ts",
    listed: false,
    probe: async (ask) => ({ status: (await ask.label({ matchType: "AND" })).status }),
    answers: { status: 400 },
  },
];
