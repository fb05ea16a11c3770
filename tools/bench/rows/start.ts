/** Measures the start of the command, and of a program that loads the classes. */
import { join } from "node:path";
import { compared, inTurns, timed } from "../measure";
import type { Row } from "../row";

const root = join(__dirname, "../../..");
/** Starts of one measurement: a single one is too short to be measured well. */
const starts = 10;

/** Seconds of CPU time that Node takes for a script, on average. */
async function node(...args: string[]): Promise<number> {
  let sum = 0;
  for (let at = 0; at < starts; at += 1) sum += (await timed(process.execPath, args, { cwd: root })).cpu;
  return sum / starts;
}

const loaded = (...modules: string[]): string[] => ["-e", modules.map((name) => `require(${JSON.stringify(name)});`).join("")];
const sdk = join(root, "dist/sdk/index.js");
const native = join(root, "dist/sdk/native/index.js");

export const command: Row = {
  name: "start-command",
  what: "the command prints its help, and its version",
  run: async ({ pairs, progress }) => {
    const main = join(root, "dist/cli/main.js");
    progress(`${pairs} pairs of ${starts} starts`);
    const spent = await inTurns(pairs, {
      empty: () => node("-e", "0"),
      help: () => node(main, "--help"),
      review: () => node(main, "review", "--help"),
    });
    const line = (what: string, ours: readonly number[]) => {
      const longer = ours.map((own, at) => own - (spent.empty[at] ?? 0));
      const most = { atMost: 0.2 };
      return {
        what,
        against: "Node that does nothing, in seconds more",
        measure: "CPU time",
        ratios: longer,
        goal: most,
      } as const;
    };
    return [line("start of the command, --help", spent.help), line("start of the command, review --help", spent.review)];
  },
};

export const load: Row = {
  name: "start-program",
  what: "a program loads the classes of either front",
  run: async ({ pairs, progress }) => {
    progress(`${pairs} pairs of ${starts} starts`);
    const spent = await inTurns(pairs, {
      bare: () => node(...loaded("@pulumi/pulumi")),
      dynamic: () => node(...loaded("@pulumi/pulumi", sdk)),
      native: () => node(...loaded("@pulumi/pulumi", native)),
    });
    const common = { against: "@pulumi/pulumi alone", measure: "CPU time", unit: "s", goal: { atMost: 1.05 } } as const;
    return [
      compared({ ...common, what: "a program that imports our classes, dynamic front" }, spent.dynamic, spent.bare),
      compared({ ...common, what: "a program that imports our classes, native front" }, spent.native, spent.bare),
    ];
  },
};
