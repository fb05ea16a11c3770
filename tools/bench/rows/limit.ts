/** How the request budget of an organization is used: by one stack, and by several at once. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { start } from "../../../emulator";
import { requestsTo } from "../measure";
import { engineOperations, Project, withProject } from "../project";
import type { Line, Row } from "../row";

const limit = 240;
const minuteMs = 60_000;
const latencyMs = 50;

interface Served {
  readonly name: string;
  /** When requests were answered, in milliseconds since 1970. */
  readonly at: readonly number[];
  /** Requests that were refused for lack of budget. */
  readonly refused: number;
}

/** Reads the log of a provider. */
function readLog(name: string, file: string): Served {
  const answers = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => / debug /.test(line));
  const statusOf = (line: string): number => Number(/ (\d{3}) \d+ ms/.exec(line)?.[1]);
  return {
    name,
    at: answers.filter((line) => statusOf(line) !== 429).map((line) => Date.parse(line.slice(0, 24))),
    refused: answers.filter((line) => statusOf(line) === 429).length,
  };
}

const labelsOf = (name: string, count: number): string =>
  `const { Label } = require("pulumi-endpoint-monitoring");
   for (let i = 0; i < ${count}; i += 1) new Label("${name}-" + i, { name: "${name} " + i, matchType: "and", filters: [] });`;

/** Creates the labels of one stack. */
async function update(url: string, name: string, count: number): Promise<Served> {
  const project = await Project.open("dynamic", labelsOf(name, count), { ENDPOINT_MONITORING_BASE_URL: url });
  const log = join(project.folder, "log");
  Object.assign(project.env, { ENDPOINT_MONITORING_LOG: "debug", ENDPOINT_MONITORING_LOG_FILE: log });
  try {
    await project.pulumi(...engineOperations.up, "--suppress-progress");
    return readLog(name, log);
  } finally {
    project.remove();
  }
}

/** Requests in each whole minute from the first one on: windows of the budget. */
function windows(all: readonly Served[]): { counts: Map<string, number>; total: number }[] {
  const times = all.flatMap(({ at }) => at);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  return Array.from({ length: Math.floor((last - first) / minuteMs) }, (_, window) => {
    const from = first + window * minuteMs;
    const counts = new Map(all.map(({ name, at }) => [name, at.filter((one) => one >= from && one < from + minuteMs).length]));
    return { counts, total: [...counts.values()].reduce((sum, count) => sum + count, 0) };
  });
}

/** The share of the budget in whole minutes. The last minute is begun only. */
function shareUsed(all: readonly Served[]): number[] {
  return windows(all).map(({ total }) => total / limit);
}

export const alone: Row = {
  name: "limit-one",
  what: `one stack creates 500 labels at ${limit} requests a minute; 1,000 are previewed and refreshed at ${latencyMs} ms a request`,
  pairs: 1,
  waits: true,
  run: async ({ progress }) => {
    const emulator = await start({ rateLimit: limit, agents: 0 });
    try {
      progress("creating 500 labels: about two minutes");
      const served = await update(emulator.url, "one", 500);
      const shares = shareUsed([served]);
      const seconds = (Math.max(...served.at) - Math.min(...served.at)) / 1_000;
      const created: Line[] = [
        {
          what: `creates of 500 labels at ${limit} requests a minute, in whole minutes`,
          against: "the rate that is allowed",
          measure: "rate",
          ratios: shares,
          goal: { atLeast: 0.97 },
        },
        {
          what: "requests of an up of 500 labels that were refused",
          against: "those that were served",
          measure: "requests",
          ratios: [served.refused / served.at.length],
          goal: { atMost: 0.02 },
        },
        {
          what: "requests of an up of 500 labels",
          against: "two for each, as published providers send",
          measure: "requests",
          ratios: [served.at.length / 1_000],
          ours: [served.at.length],
          base: [1_000],
          unit: "requests",
          size: 500,
        },
        {
          what: "time of an up of 500 labels under the limit",
          against: "the least for two requests each: 1,000 at that rate",
          measure: "time",
          ratios: [seconds / ((1_000 / limit - 1) * 60)],
          ours: [seconds],
          base: [(1_000 / limit - 1) * 60],
          unit: "s",
          size: 500,
        },
      ];
      return [...created, ...(await manyRead(progress))];
    } finally {
      await emulator.close();
    }
  },
};

/** A thousand labels that exist, previewed and refreshed with a limit and a slow network. */
function manyRead(progress: (text: string) => void): Promise<Line[]> {
  const size = 1_000;
  // The creates have no limit, or they would take four minutes; nothing that follows needs more than a part of one.
  const slow = { kind: "latency", ms: latencyMs, n: 1_000_000 } as const;
  const given = { front: "dynamic", program: labelsOf("many", size) } as const;
  return withProject(given, { rateLimit: "off", agents: 0, faults: [slow] }, async (project, emulator) => {
    progress(`creating ${size} labels`);
    await project.create();
    const lines: Line[] = [];
    for (const operation of ["preview", "refresh"] as const) {
      progress(operation);
      const before = requestsTo(emulator);
      await project.pulumi(...engineOperations[operation]);
      const requests = requestsTo(emulator) - before;
      lines.push({
        what: `requests of a ${operation} of ${size} labels`,
        against: "one for each",
        measure: "requests",
        ratios: [requests / size],
        ours: [requests],
        base: [size],
        unit: "requests",
        size,
        goal: { atMost: 8 / size },
      });
    }
    return lines;
  });
}

/** Several stacks at once, which do not know of each other. */
function together(stacks: number): Row {
  return {
    name: `limit-${stacks}`,
    what: `${stacks} stacks create 260 labels each at ${limit} requests a minute together`,
    pairs: 1,
    waits: true,
    run: async ({ progress }) => {
      progress(`about ${Math.ceil((stacks * 260) / limit)} minutes`);
      const emulator = await start({ rateLimit: limit, agents: 0 });
      try {
        const names = Array.from({ length: stacks }, (_, at) => `stack-${at + 1}`);
        const served = await Promise.all(names.map((name) => update(emulator.url, name, 260)));
        const shares = windows(served).map(({ counts, total }) => (Math.min(...counts.values()) * stacks) / total);
        return [
          {
            what: `requests of ${stacks} stacks together, in whole minutes`,
            against: "the rate that is allowed",
            measure: "rate",
            ratios: shareUsed(served),
            goal: { atLeast: 0.9 },
          },
          {
            what: `requests of the stack that got the fewest of ${stacks}, in whole minutes`,
            against: "a fair share",
            measure: "share",
            ratios: shares,
            goal: { atLeast: 0.8 },
          },
        ];
      } finally {
        await emulator.close();
      }
    },
  };
}

export const several: readonly Row[] = [together(2), together(3)];
