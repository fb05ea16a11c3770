import { paths, testKinds } from "../ask";
import { type Row } from "../row";
import { type Answer, type Body } from "../session";
import { eachPlain } from "./parts";

export const testsRows: readonly Row[] = [
  {
    id: "patch-of-create-only-members",
    topic: "PATCH request for a test with members that only a create request accepts",
    emulator: "The emulator ignores these members",
    known: "Not documented",
    file: "emulator/routes/tests.ts",
    probe: async (ask) => {
      const made = await ask.test("agentToServer");
      const path = `${paths.agentToServer}/${made.body.testId}`;
      const { status } = await ask.patch(path, { testName: ask.name(), port: 443, isPrioritized: true, ipVersion: "V6_ONLY" });
      const { body } = await ask.get(path);
      const kept = (member: string): boolean => body[member] === made.body[member];
      return { status, isPrioritizedStays: kept("isPrioritized"), ipVersionStays: kept("ipVersion") };
    },
    answers: { status: 200, isPrioritizedStays: true, ipVersionStays: true },
  },
  {
    id: "create-of-update-only-members",
    topic: "Creating a test with `isEnabled` (or an agent-to-server test with `tcpProbeMode`)",
    emulator: "The emulator ignores these members",
    known: "A related API refuses a create request with `isEnabled: false`",
    file: "emulator/routes/tests.ts",
    probe: async (ask) => {
      const { status, body } = await ask.test("agentToServer", { isEnabled: false, tcpProbeMode: "sack" });
      return { status, isEnabled: body.isEnabled, tcpProbeMode: body.tcpProbeMode };
    },
    answers: { status: 201, isEnabled: true, tcpProbeMode: "auto" },
  },
  {
    id: "default-ip-version",
    topic: "Test without `ipVersion`",
    emulator: "`V4_ONLY`, as in the samples",
    known: "No default is documented",
    file: "emulator/routes/tests.ts",
    probe: async (ask) => eachPlain(ask, ({ ipVersion }) => ipVersion),
    answers: { agentToServer: "V4_ONLY", httpServer: "V4_ONLY", dynamic: "V4_ONLY" },
  },
  {
    id: "default-path-trace",
    topic: "`hasPathTraceInSession` of a new test",
    emulator:
      "The default is `true`, as in the documentation's samples. For agent-to-server tests, the emulator ignores the value in the request",
    known: "Not documented",
    file: "emulator/routes/tests.ts",
    probe: async (ask) => {
      const { body } = await ask.test("agentToServer", { hasPathTraceInSession: false });
      return {
        ...(await eachPlain(ask, ({ hasPathTraceInSession }) => hasPathTraceInSession)),
        givenFalse: body.hasPathTraceInSession,
      };
    },
    answers: { agentToServer: true, httpServer: true, dynamic: true, givenFalse: true },
  },
  {
    id: "url-as-returned",
    topic: "`url` of an HTTP test",
    emulator:
      'The emulator adds the port, and adds the scheme `https` if the URL has no scheme. With `urlPort: "as-sent"`, the emulator returns the URL unchanged',
    known: "Seen in samples only",
    file: "emulator/model/http-server-test.ts",
    probe: async (ask) => {
      const urls = [
        "www.example.com",
        "http://www.example.com",
        "https://www.example.com:443/",
        "https://www.example.com/a?b=1",
        "https://WWW.Example.com/A",
      ];
      const returned: Record<string, string> = {};
      for (const url of urls) returned[url] = (await ask.test("httpServer", { url })).body.url;
      return returned;
    },
    answers: {
      "www.example.com": "https://www.example.com:443",
      "http://www.example.com": "http://www.example.com:80",
      "https://www.example.com:443/": "https://www.example.com:443/",
      "https://www.example.com/a?b=1": "https://www.example.com:443/a?b=1",
      "https://WWW.Example.com/A": "https://WWW.Example.com:443/A",
    },
  },
  {
    id: "server-of-a-test",
    topic: "`server` of a test",
    emulator:
      "The emulator accepts a host name or an IP address, with or without brackets. The emulator returns status 400 for any other string",
    known: "The documentation allows a domain name or an IP address",
    file: "emulator/routes/agent-to-server-tests.ts",
    probe: async (ask) => {
      const statuses: Record<string, number> = {};
      for (const server of ["192.0.2.7", "2001:db8::7", "[2001:db8::7]", "https://www.example.com", "two words"]) {
        statuses[server] = (await ask.test("agentToServer", { server })).status;
      }
      return statuses;
    },
    answers: {
      "192.0.2.7": 201,
      "2001:db8::7": 201,
      "[2001:db8::7]": 201,
      "https://www.example.com": 400,
      "two words": 400,
    },
  },
  {
    id: "members-of-http-tests",
    topic: "`httpTargetTime`, `httpVersion`, `followRedirects`",
    emulator: "The values are 100, 2 and true, as in the documentation's samples",
    known: "The service's rules for these values are unknown",
    file: "emulator/model/http-server-test.ts",
    probe: async (ask) => {
      const { httpTargetTime, httpVersion, followRedirects } = await ask.plain("httpServer");
      return { httpTargetTime, httpVersion, followRedirects };
    },
    answers: { httpTargetTime: 100, httpVersion: 2, followRedirects: true },
  },
  {
    id: "ssl-versions",
    topic: "`sslVersion` for `sslVersionId` other than 0",
    emulator: "`SSLv3`, `TLSv1.0` to `TLSv1.3`",
    known: "Only `Auto` is known",
    file: "emulator/model/http-server-test.ts",
    probe: async (ask) => {
      const words: Record<string, string> = {};
      for (const sslVersionId of ["3", "4", "5", "6", "7"]) {
        words[`of ${sslVersionId}`] = (await ask.test("httpServer", { sslVersionId })).body.sslVersion;
      }
      return words;
    },
    answers: {
      "of 3": "SSLv3",
      "of 4": "TLSv1.0",
      "of 5": "TLSv1.1",
      "of 6": "TLSv1.2",
      "of 7": "TLSv1.3",
    },
  },
  {
    id: "names-of-tests",
    topic: "Names of tests",
    emulator:
      "By default, the emulator accepts any name. With `uniqueTestNames`, tests of the same type in an account group need different names. For a name that is already in use, the emulator returns status 409 (agent-to-server tests) or 400 (all other tests)",
    known: "The documentation lists status 409, but not its cause",
    file: "emulator/routes/tests.ts",
    probe: async (ask) => {
      const statuses: Record<string, number> = {};
      for (const kind of testKinds) {
        const { testName } = await ask.plain(kind);
        statuses[kind] = (await ask.test(kind, { testName })).status;
      }
      return statuses;
    },
    answers: { agentToServer: 201, httpServer: 201, dynamic: 201 },
  },
  {
    id: "order-of-lists",
    topic: "Order of lists",
    emulator: "Order of creation",
    known: "Not documented",
    file: "emulator/store.ts",
    probe: async (ask) => {
      const ids: string[] = [];
      for (let made = 0; made < 2; made += 1) ids.push((await ask.label()).body.id);
      const tests: string[] = [];
      for (let made = 0; made < 2; made += 1) tests.push((await ask.test("agentToServer")).body.testId);
      const labels = await ask.get(paths.label, { max: "1000" });
      const listed = await ask.get(paths.agentToServer);
      return {
        labels: labels.body.labels.map(({ id }: Body) => ids.indexOf(id)).filter((at: number) => at >= 0),
        tests: listed.body.tests.map(({ testId }: Body) => tests.indexOf(testId)).filter((at: number) => at >= 0),
      };
    },
    answers: { labels: [0, 1], tests: [0, 1] },
  },
  {
    id: "labels-of-a-test",
    topic: "`labels` of a test",
    emulator: "Always empty",
    known: "It is unknown which labels the service returns",
    file: "emulator/model/test-record.ts",
    probe: async (ask) => eachPlain(ask, ({ labels }) => labels),
    answers: { agentToServer: [], httpServer: [], dynamic: [] },
  },
  {
    id: "instant-tests",
    topic: "Instant tests",
    emulator:
      "The emulator keeps an instant test until a client deletes the test. Lists omit instant tests. GET and DELETE requests by id succeed, but a PATCH request returns status 404. `uniqueTestNames` ignores instant tests",
    known: "It is unknown how long instant tests exist, or whether clients can delete instant tests",
    file: "emulator/routes/instant-tests.ts",
    probe: async (ask) => {
      const { status, body } = await ask.post(`${paths.agentToServer}/instant`, {
        testName: ask.name(),
        server: "www.example.com",
        agentSelectorType: "agent-labels",
        endpointAgentLabels: [await ask.nobody()],
      });
      const path = `${paths.agentToServer}/${ask.need(body.testId, `an instant test was not created: ${status}`)}`;
      const listed = await ask.get(paths.agentToServer);
      return {
        status,
        get: (await ask.get(path)).status,
        isListed: listed.body.tests.some(({ testId }: Body) => testId === body.testId),
        patch: (await ask.patch(path, { testName: ask.name(), port: 443 })).status,
        delete: (await ask.delete(path)).status,
      };
    },
    answers: { status: 201, get: 200, isListed: false, patch: 404, delete: 204 },
  },
  {
    id: "run-of-a-test",
    topic: "Run of a test",
    emulator:
      "The emulator runs scheduled and instant tests, including disabled tests. A request to run a dynamic test returns status 404. For all other tests, the response is the documentation's example",
    known: "One document mentions runs only for scheduled tests, and another document only for instant tests",
    file: "emulator/routes/instant-tests.ts",
    probe: async (ask) => {
      const run = async (testId: string): Promise<Answer> => ask.post(`/v7/endpoint/tests/scheduled-tests/${testId}/run`);
      const scheduled = await run((await ask.plain("agentToServer")).testId);
      const dynamic = await run((await ask.plain("dynamic")).testId);
      return { scheduled: scheduled.status, members: Object.keys(scheduled.body ?? {}), dynamic: dynamic.status };
    },
    answers: { scheduled: 200, members: ["message"], dynamic: 404 },
  },
];
