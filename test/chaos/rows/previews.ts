/** Passes damaged files, and files that are not previews, to `review`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { start } from "../../../emulator";
import { plainEnv } from "../../support/process";
import { damagedText, jsonText, mutated, tryEach } from "../../support/fuzz";
import type { Random, Row } from "../row";
import { judged } from "./command";

/** The engine's output for a program with a create, an update, a replacement, a deletion and a secret. */
const real = readFileSync(join(__dirname, "../../cli/golden/preview.json"), "utf8");

export const previewsRow: Row = {
  name: "damaged preview files",
  atLeast: 500,
  async run(options) {
    const folder = mkdtempSync(join(tmpdir(), "row-previews-"));
    const emulator = await start({ rateLimit: "off", agents: 5 });
    const env = plainEnv({ ENDPOINT_MONITORING_BASE_URL: emulator.url, ENDPOINT_MONITORING_TOKEN: "emulator-token" });
    try {
      return await tryEach(options, async (random) => {
        const secret = `s3cret-${random.seed}-`;
        writeFileSync(join(folder, "preview.json"), damaged(random));
        const how = random.of([["--offline"], [], ["--json"], ["--markdown", "-"], ["--details"]]);
        // A review shows the preview's contents, so only messages are searched.
        return judged(["review", "--preview", "preview.json", ...how], folder, env, secret);
      });
    } finally {
      await emulator.close();
      rmSync(folder, { recursive: true });
    }
  },
};

function damaged(random: Random): string {
  if (random.isOne(4)) return damagedText(random, real, "odd-text");
  const preview = JSON.parse(real) as { steps: unknown[] };
  for (let times = 1 + random.below(4); times > 0; times -= 1) {
    const at = random.below(preview.steps.length);
    preview.steps[at] = mutatedWithin(random, preview.steps[at]);
  }
  return jsonText(preview);
}

/** Mostly changes the properties of a step, because the command checks the frame first and rejects a damaged one. */
function mutatedWithin(random: Random, step: unknown): unknown {
  if (random.isOne(4)) return mutated(random, step, "odd-text");
  const { ...copy } = step as Record<string, Record<string, unknown> | undefined>;
  const [state, part] = [random.of(["oldState", "newState"]), random.of(["inputs", "outputs"])];
  if (copy[state]?.[part]) copy[state] = { ...copy[state], [part]: mutated(random, copy[state][part], "odd-text") };
  return copy;
}
