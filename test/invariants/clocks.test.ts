/** Durations use a steady clock, because a user or a time server may change the clock that `Date` reads. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { publishedModules } from "../support/imports";

const root = join(__dirname, "../..");
const folders = `{${publishedModules.join(",")}}/**/*.ts`;

/** Modules that read the date, with the allowed number of uses and their purpose. */
const readers: Record<string, [times: number, purpose: string]> = {
  "api/log.ts": [1, "the date of a log line"],
  "api/pacing.ts": [1, "compared with a reset of the service, if its response has no date"],
  "cli/commands/ci/ci-provider.ts": [1, "compared with a reset of the CI provider, if its response has no date"],
  "cli/commands/ci/publish.ts": [1, "the date in a report"],
  "emulator/options.ts": [1, "the emulator's dates; they are stored, and outlive a process"],
  "emulator/requests.ts": [1, "the first of the request ids"],
  "emulator/routes/streams.ts": [1, "the date of an error"],
  "emulator/routes/tag-problems.ts": [1, "the date of an error"],
  "engine/io.ts": [1, "the date in a report"],
  "provider/file-log.ts": [1, "compared with the date of a file, which another process may have written"],
  "provider/service-clock.ts": [2, "the service's clock, until a response has a date"],
};

test("no module measures durations with the adjustable system clock", () => {
  const counts = globSync(folders, { cwd: root }).flatMap((file) => {
    const times = readFileSync(join(root, file), "utf8").match(/\bDate\.now\b|\bnew Date\(\)/g)?.length ?? 0;
    return times === 0 ? [] : [`${file} ${times}`];
  });
  expect(counts.toSorted()).toEqual(Object.entries(readers).map(([file, [times]]) => `${file} ${times}`));
});
