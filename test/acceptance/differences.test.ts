/** Runs the acceptance suite on emulators that vary. Only the affected checks report each variation, and no record remains. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { rows } from "../../tools/acceptance/rows";
import { labelsRows } from "../../tools/acceptance/rows/labels";
import { writeRows } from "../../tools/acceptance/rows/writes";
import { Session } from "../../tools/acceptance/session";
import { type Finding, runSuite } from "../../tools/acceptance/suite";
import { start } from "../support/variations/start";
import { type Variation, variations } from "../support/variations";
import { amount, seed } from "../support/amount";
import { repository } from "../support/process";
import { detectedBy, undetectable } from "./detected-by";
import { accessTo } from "./support";
import { skipIdleTime } from "../support/idle-time";

skipIdleTime();

/** A delay that no machine misses. Each read after a write waits for it, so fewer rows run. */
const lagMs = 1_500;
const rowsInTime = [...writeRows, ...labelsRows];
const collections = ["labels", "tags", "agent-to-server-tests", "http-server-tests", "dynamic-tests"];

async function findingsOf({
  name,
  takesTime,
}: Pick<Variation, "name" | "takesTime">): Promise<{ differs: Finding[]; remaining: number }> {
  const lags = takesTime === true && name !== "slow";
  const as = takesTime ? `${name}=${lags ? lagMs : 1}ms` : name;
  const emulator = await start({ rateLimit: "off", agents: 3, as: [as] });
  try {
    const session = new Session(accessTo(emulator.url));
    const findings = await runSuite(session, { rows: lags ? rowsInTime : rows, operations: !lags });
    const records = collections.map(async (collection) => {
      const answer = await fetch(`${emulator.url}/_emulator/records/${collection}`);
      return ((await answer.json()) as { records: unknown[] }).records.length;
    });
    const remaining = (await Promise.all(records)).reduce((sum, count) => sum + count, session.own.size);
    return { differs: findings.filter(({ outcome }) => outcome === "differs"), remaining };
  } finally {
    await emulator.close();
  }
}

test("each API variation has an acceptance check or a reason why no check detects the variation", () => {
  expect([...Object.keys(detectedBy), ...Object.keys(undetectable)].toSorted()).toEqual(
    variations.map(({ name }) => name).toSorted(),
  );
});

const step = Math.ceil(variations.length / amount(4, variations.length));
const chosen = variations.filter((_, at) => (at + seed(0)) % step === 0);

test.concurrent.each(chosen)("only the affected acceptance checks report the variation $name", async (difference) => {
  const { differs, remaining } = await findingsOf(difference);
  const { rows: inRows = [], operations = [] } = detectedBy[difference.name] ?? {};
  const of = (part: Finding["part"]): Finding[] => differs.filter((finding) => finding.part === part);
  const verbs = new Set(of("operation").flatMap(({ id }) => id.split(".").at(-1) ?? []));
  expect(of("row").map(({ id }) => id)).toEqual(expect.arrayContaining([...inRows]));
  expect(of("row")).toHaveLength(inRows.length);
  const expected = operations === "any" ? [...verbs] : operations;
  expect([...verbs].toSorted()).toEqual(expected.toSorted());
  expect(verbs.size > 5).toBe(operations === "any");
  expect(remaining).toBe(0);
  for (const { file = "" } of differs) expect(existsSync(join(repository, file))).toBe(true);
});
