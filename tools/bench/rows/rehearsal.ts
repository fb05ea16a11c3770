/** `rehearse`: whether an update takes as long as it says, and what it takes itself on a large account. */
import type { Emulator } from "../../../emulator";
import { requestsTo } from "../measure";
import { engineOperations, withProject } from "../project";
import type { Line, Row } from "../row";

const limit = 240;
/** More labels than a minute allows, so that the limit is what the update waits for. */
const sizes = [300, 400, 500];

const labelsOf = (count: number): string =>
  `const { Label } = require("pulumi-endpoint-monitoring");
   for (let i = 0; i < ${count}; i += 1) {
     new Label("label-" + i, { name: "Label " + i, matchType: "or", filters: [{ key: "hostname", values: ["office-" + i] }] });
   }`;

interface Rehearsed {
  readonly data: { readonly update: { readonly seconds: number; readonly requests: { readonly total: number } } };
}

export const forecast: Row = {
  name: "rehearsal-forecast",
  what: `rehearsals of ${sizes.join(", ")} new labels at ${limit} requests a minute, and the updates themselves`,
  pairs: 1,
  waits: true,
  run: async ({ progress }) => {
    const lines = await Promise.all(sizes.map((size) => forecastOf(size, progress)));
    return lines.flat();
  },
};

async function forecastOf(size: number, progress: (text: string) => void): Promise<Line[]> {
  progress(`${size} labels: a rehearsal, and then about ${Math.ceil(size / limit)} minutes`);
  const given = { front: "dynamic", program: labelsOf(size) } as const;
  return withProject(given, { rateLimit: limit, agents: 100 }, async (project, emulator) => {
    const { text } = await project.command([0], "rehearse", "--json");
    const { data } = JSON.parse(text.slice(text.indexOf("{"))) as Rehearsed;
    // A window of its own: what was read for the rehearsal is not of the update.
    await new Promise((resolve) => setTimeout(resolve, 60_000));
    const before = requestsTo(emulator);
    const { time } = await project.pulumi(...engineOperations.up);
    const requests = requestsTo(emulator) - before;
    const common = { ours: [data.update.seconds], base: [time], unit: "s", size } as const;
    return [
      {
        ...common,
        what: `how far the time that rehearse says is off, ${size} labels under the limit`,
        against: "the time of the update",
        measure: "time",
        ratios: [Math.abs(data.update.seconds - time) / time],
        goal: { atMost: 0.2 },
      },
      {
        what: `how far the requests that rehearse says are off, ${size} labels`,
        against: "the requests of the update",
        measure: "requests",
        ratios: [Math.abs(data.update.requests.total - requests) / requests],
        ours: [data.update.requests.total],
        base: [requests],
        unit: "requests",
        size,
        goal: { atMost: 0 },
      },
    ];
  });
}

const { preview, up, destroy } = engineOperations;
const large = { agents: 10_000, records: 1_000, resources: 50 };
const mostSeconds = 30;

export const size: Row = {
  name: "rehearsal-size",
  what: `a rehearsal of ${large.resources} labels in an account of ${large.records} records and ${large.agents} agents`,
  pairs: 3,
  run: async ({ pairs, progress }) => {
    progress(`making ${large.records} records`);
    const given = { front: "dynamic", program: labelsOf(large.resources) } as const;
    return withProject(given, { rateLimit: "off", agents: large.agents }, async (project, emulator) => {
      await makeRecords(emulator);
      const beyond: number[] = [];
      for (let pair = 0; pair < pairs; pair += 1) {
        progress(`${pair + 1} of ${pairs}`);
        const { time } = await project.command([0], "rehearse", "--json");
        // The engine's work in a rehearsal: a preview, the update, a preview of a second one, a destroy.
        let engine = 0;
        for (const args of [preview, up, preview, destroy]) engine += (await project.pulumi(...args)).time;
        beyond.push((time - engine) / mostSeconds);
      }
      return [
        {
          what: `rehearse beyond the engine's own time, ${large.records} records and ${large.agents} agents`,
          against: `${mostSeconds} seconds`,
          measure: "time",
          ratios: beyond,
          goal: { atMost: 1 },
          size: large.records,
        },
      ];
    });
  },
};

/** As many labels as tests, each test by a label. */
async function makeRecords(emulator: Emulator): Promise<void> {
  const post = async (path: string, body: object): Promise<{ id?: string }> => {
    const headers = { authorization: "Bearer emulator-token", "content-type": "application/json" };
    const answer = await fetch(emulator.url + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { id?: string };
  };
  for (let at = 0; at < large.records / 2; at += 1) {
    const filters = [{ key: "hostname", values: [`*${at}`] }];
    const { id } = await post("/v7/endpoint/labels", { name: `By hand ${at}`, matchType: "or", filters });
    const selection = { agentSelectorType: "agent-labels", endpointAgentLabels: [id] };
    const test = { testName: `By hand ${at}`, server: "vpn.example.com", ...selection };
    await post("/v7/endpoint/tests/scheduled-tests/agent-to-server", test);
  }
}
