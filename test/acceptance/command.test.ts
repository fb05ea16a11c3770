/** Runs the acceptance command in process, as a user with an account starts it. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { main } from "../../tools/acceptance/command";
import { type Interaction, replay, type Replayed } from "../../tools/acceptance/record";
import { Session } from "../../tools/acceptance/session";
import { type Emulator, start } from "../../emulator";
import { accessTo, Account } from "./support";
import { temporary } from "../support/temporary";
import { call } from "../support/call";
import { skipIdleTime } from "../support/idle-time";

let account: Account;
let folder: string;
let printed: string;
/** The recording of the test that runs all checks. */
let recording = "";

// The account ends before the clock, because its timers cannot be cleared after the clock has stopped.
afterAll(() => account.end());
skipIdleTime();
beforeAll(async () => {
  account = await Account.start();
});
beforeEach(() => {
  folder = temporary();
  printed = "";
  jest.spyOn(console, "log").mockImplementation((text: string) => void (printed += `${text}\n`));
  jest.spyOn(process.stderr, "write").mockImplementation((text) => ((printed += String(text)), true));
});
afterEach(() => jest.restoreAllMocks());

const environment = (over: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ENDPOINT_MONITORING_BASE_URL: `${account.emulator.url}/v7`,
  ENDPOINT_MONITORING_TOKEN: "emulator-token",
  ENDPOINT_MONITORING_ACCOUNT_GROUP_ID: "1001",
  ...over,
});
const report = () => JSON.parse(readFileSync(join(folder, "report.json"), "utf8"));
const labels = async (): Promise<string[]> => {
  const { labels: records } = (await call(account.emulator.url, "GET", "/v7/endpoint/labels")) as {
    labels: { name: string }[];
  };
  return records.map(({ name }) => name);
};
const makeLabel = (name: string) =>
  call(account.emulator.url, "POST", "/v7/endpoint/labels", { name, matchType: "or", filters: [] });

test("the acceptance command starts no checks if the account group has an unexpected name", async () => {
  account.emulator.requests();
  const before = account.emulator.log().length;
  await expect(main(["--out", folder], environment())).rejects.toThrow(
    'The account group 1001 is called "Headquarters", not "acceptance…". The checks did not start. Create an account group for them, or add --i-know 1001.',
  );
  await expect(main(["--out", folder, "--i-know", "1002"], environment())).rejects.toThrow("The checks did not start");
  await expect(main(["--out", folder], environment({ ENDPOINT_MONITORING_ACCOUNT_GROUP_ID: undefined }))).rejects.toThrow(
    "ENDPOINT_MONITORING_ACCOUNT_GROUP_ID is missing",
  );
  const asked = account.emulator.log().slice(before);
  expect(asked.map(({ path }) => path)).toEqual(["/v7/account-groups", "/v7/account-groups"]);
  expect(existsSync(join(folder, "report.json"))).toBe(false);
});

test("the acceptance command deletes only records that this run or an earlier run created", async () => {
  await makeLabel("pem-acceptance label-names 1");
  await makeLabel("Office");
  const before = await labels();
  const file = join(folder, "recording.json");
  const line = ["--out", folder, "--i-know", "1001", "--no-engine", "--agent", account.agentId, "--record", file];
  const code = await main(line, environment({ ACCEPTANCE_READER_TOKEN: "emulator-read-only-token" }));
  recording = readFileSync(file, "utf8");
  expect({ code, printed }).toEqual({
    code: 0,
    printed: expect.stringMatching(/^deleted 1 records .*\n.*\d+ agreed, 0 differ, /s),
  });
  expect(await labels()).toEqual(before.filter((name) => name === "Office"));
  expect(report().counts).toMatchObject({ differs: 0 });
  expect(readFileSync(join(folder, "report.md"), "utf8")).toContain("## Differs\n\nNothing.\n");
  // Most of the default budget remains for the lifecycles of the resource types.
  expect(report().requests).toBeLessThan(430);
});

test("the acceptance command with --read-only sends no write requests", async () => {
  const before = account.emulator.log().length;
  const code = await main(["--out", folder, "--i-know", "1001", "--read-only"], environment());
  expect(code).toBe(0);
  const asked = account.emulator.log().slice(before);
  expect(asked.length).toBeGreaterThan(30);
  const writes = asked.filter(({ method, path }) => method !== "GET" && !/\/filter/.test(path));
  expect(writes).toEqual([]);
  const skippedChecks = report().findings.filter(
    ({ reason }: { reason?: string }) => reason === "the run only reads (--read-only)",
  );
  expect(skippedChecks.length).toBeGreaterThan(20);
});

test("the acceptance command with --only runs only the named check", async () => {
  expect(await main(["--out", folder, "--i-know", "1001", "--only", "label-names"], environment())).toBe(0);
  expect(report().findings).toMatchObject([{ id: "label-names", outcome: "agreed" }]);
  await expect(main(["--only", "nonsense"], environment())).rejects.toThrow(
    'Unknown check "nonsense". Checks: reads-after-writes, ',
  );

  expect(await main(["--out", folder, "--i-know", "1001", "--no-engine", "--max-requests", "60"], environment())).toBe(0);
  const reasons = report().findings.map(({ reason }: { reason?: string }) => reason);
  expect(reasons).toContain("the request budget of 60 is exhausted (--max-requests)");
  expect(report().requests).toBeLessThanOrEqual(90);
  expect((await labels()).filter((name) => name.startsWith("pem-acceptance"))).toEqual([]);
});

/** Sends a recording's requests to a fresh emulator. */
async function replayed(interactions: Interaction[]): Promise<{ played: Replayed[]; emulator: Emulator }> {
  const emulator = await start({ rateLimit: "off" });
  try {
    const session = new Session(accessTo(emulator.url, { token: "emulator-token" }));
    const tokens = { account: undefined, reader: "emulator-read-only-token", nobody: null, other: "wrong" } as const;
    // The recording created the records that it changes. The emulator has no others.
    const send = ({ as, ...asked }: Parameters<Parameters<typeof replay>[1]>[0]) =>
      session.send("replay", { ...asked, token: tokens[as] }, { cleaning: true });
    return { played: await replay(interactions, send, { origin: emulator.url, aid: "1001" }), emulator };
  } finally {
    await emulator.close();
  }
}

const differing = (played: readonly Replayed[]): Replayed[] => played.filter(({ differences }) => differences.length > 0);

test("a recording of the acceptance command contains no secret", async () => {
  for (const secret of ["emulator-token", "emulator-read-only-token", account.emulator.url, "Headquarters"])
    expect(recording).not.toContain(secret);
  const { interactions: recorded } = JSON.parse(recording) as { interactions: Interaction[] };
  // A fresh emulator has no records of an earlier run to delete.
  const interactions = recorded.filter(({ row }) => row !== "leftovers");
  expect(interactions.length).toBeGreaterThan(200);
  const { played } = await replayed(interactions);
  expect(differing(played)).toEqual([]);
  // A fresh emulator lacks some recorded data: agents' ids and results.
  const skipped = played.filter((exchange) => exchange.skipped !== undefined);
  expect(skipped.length).toBeLessThan(40);
  expect(new Set(skipped.map((exchange) => exchange.skipped))).toEqual(
    new Set(["it depends on records of the account", "a part of its body was not recorded", "its body was not recorded"]),
  );

  // A recording with another answer is reported.
  const other = interactions.map((interaction): Interaction =>
    interaction.row === "label-color" && interaction.response.status === 201
      ? {
          ...interaction,
          response: { ...interaction.response, body: { ...(interaction.response.body as object), color: "#abcdef" } },
        }
      : interaction,
  );
  const differences = differing((await replayed(other)).played);
  expect(differences).toMatchObject([
    { row: "label-color", differences: [{ at: "body.color", emulator: "#AbCdEf", service: "#abcdef" }] },
  ]);
});
