/** Measures the CPU time to start the command, a program that loads the classes, and a provider. */
import { join } from "node:path";
import { start } from "../../../emulator";
import { inTurns, ratioText, spreadText, timed } from "../measure";
import { root } from "../project";
import { startSeconds } from "../provider-process";
import type { Row } from "../row";

/** Number of starts per measurement, because a single start is too short to measure. */
const starts = 10;

async function averageOf(measure: () => Promise<number>): Promise<number> {
  let sum = 0;
  for (let at = 0; at < starts; at += 1) sum += await measure();
  return sum / starts;
}

const node = (...args: string[]): Promise<number> =>
  averageOf(async () => (await timed(process.execPath, args, { cwd: root })).cpu);
const loading = (...modules: string[]): Promise<number> =>
  node("-e", modules.map((name) => `require(${JSON.stringify(name)});`).join(""));

const main = join(root, "dist/cli/main.js");
const sdk = join(root, "dist/sdk/index.js");
const native = join(root, "dist/sdk/native/index.js");

const measured: Readonly<Record<string, (url: string) => Promise<number>>> = {
  "Node, empty program": () => node("-e", "0"),
  "endpoint-monitoring --help": () => node(main, "--help"),
  "endpoint-monitoring review --help": () => node(main, "review", "--help"),
  "program with @pulumi/pulumi": () => loading("@pulumi/pulumi"),
  "program with @pulumi/pulumi and the dynamic classes": () => loading("@pulumi/pulumi", sdk),
  "program with @pulumi/pulumi and the native classes": () => loading("@pulumi/pulumi", native),
  "minimal provider": (url) => averageOf(() => startSeconds("least", url)),
  "provider of dynamic resources": (url) => averageOf(() => startSeconds("dynamic", url)),
  "native plugin": (url) => averageOf(() => startSeconds("native", url)),
};

/** Measurements in groups of three. The ratios of a group refer to the first measurement of the group. */
const groups = [0, 3, 6].map((first) => Object.keys(measured).slice(first, first + 3));

export const startUp: Row = {
  name: "start-up",
  title: "Start-up",
  about: `Each ratio is the CPU time of a row divided by the CPU time of the row named in "Divided by". Each time is the average of ${starts} starts. The minimal provider serves the minimal resource. A provider counts as started when it has answered its first check request.`,
  pairs: 3,
  run: async (order) => {
    const emulator = await start({ rateLimit: "off", agents: 0 });
    try {
      const seconds = await inTurns(order, Object.keys(measured), (name) => measured[name]?.(emulator.url) as Promise<number>);
      const rows = groups.flatMap(([base = "", ...names]) =>
        [base, ...names].map((name) => {
          const milliseconds = (seconds[name] ?? []).map((figure) => figure * 1_000);
          const ratio = name === base ? "" : ratioText(seconds[name] ?? [], seconds[base] ?? []);
          return [name, `${spreadText(milliseconds, 0)} ms`, name === base ? "" : base, ratio];
        }),
      );
      return { head: ["Start", "CPU time", "Divided by", "Ratio"], rows };
    } finally {
      await emulator.close();
    }
  },
};
