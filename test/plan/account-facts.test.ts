/** Compares the licenses and roles in a review with the emulator's records. */
import { licensePeaks, roleLabels } from "../../plan/account-facts";
import type { Session } from "../../provider/session";
import { useEmulator } from "../support/emulator";
import { reviewed, sessionWith, step, toMarkdown } from "../cli/review-support";

const label = { name: "Office", matchType: "or", filters: [{ key: "platform", values: ["Windows"] }] };
const steps = [step("create", "label", "office", { after: label })];
const peakOf = (license: string, agents: readonly { licenseType: string; status: string }[]): number =>
  agents.filter(({ licenseType, status }) => licenseType === license && status === "enabled").length;
const busiest =
  "peak license use of the organization this month (enabled agents in the busiest hour, of the licenses in the contract)";

const emulator = useEmulator({ agents: 60, licenses: { advantage: 1_000, essentials: 50 } });
const sessions: Session[] = [];
function clientOf(token?: string): Session["client"] {
  const session = sessionWith(emulator.url, token);
  sessions.push(session);
  return session.client;
}
/** Answers the next requests of an operation with a body. */
const answer = (operation: string, status: number, body: object = {}): Promise<unknown> =>
  emulator.call("POST", "/_emulator/faults", { operation, kind: "status", status, body });
/** A role with these labels only. */
const allow = (...labels: string[]): Promise<unknown> =>
  answer("account.role", 200, { permissions: labels.map((permission) => ({ label: permission })) });

afterAll(() => Promise.all(sessions.map(({ client }) => client.close())));
beforeEach(() => emulator.reset());

test("the review reads the limit and the highest use of each license", async () => {
  const groups = ["1001", "1002", "1003"].map((aid) => emulator.call("GET", `/v7/endpoint/agents?aid=${aid}&max=1000`));
  const agents = (await Promise.all(groups)).flatMap((page) => page["agents"] as { licenseType: string; status: string }[]);
  expect(agents).toHaveLength(60);
  expect(await licensePeaks(clientOf(), "1001")).toEqual([
    { license: "advantage", peak: peakOf("advantage", agents), included: 1_000 },
    { license: "essentials", peak: peakOf("essentials", agents), included: 50 },
  ]);
});

test("the review omits licenses and roles that it cannot read", async () => {
  const reader = clientOf("emulator-read-only-token");
  expect([await licensePeaks(reader, "1001"), await roleLabels(reader, "1001")]).toEqual([[], undefined]);
  for (const body of [{}, { usage: {} }, { usage: { endpointAgentsUsed: "many", quota: [] } }]) {
    await answer("account.usage", 200, body);
    expect(await licensePeaks(clientOf(), "1001")).toEqual([]);
  }
  for (const body of [
    {},
    { accountGroupRoles: [] },
    { accountGroupRoles: [{ accountGroup: { aid: "9" }, roles: [{ roleId: "1" }] }] },
  ]) {
    await answer("account.user", 200, body);
    expect(await roleLabels(clientOf(), "1001")).toBeUndefined();
  }
  await allow("Bearbeiten");
  expect(await roleLabels(clientOf(), "1001")).toBeUndefined();
});

test("the review lists the user's roles in each account group", async () => {
  expect(await roleLabels(clientOf(), "1001")).toEqual({
    roles: ["Organization Admin"],
    edits: ["Edit endpoint agent settings", "Edit tags", "Edit alert rules", "Edit endpoint tests"],
  });
  const of = (aid: string, roleId: string) => ({ accountGroup: { aid }, roles: [{ roleId, name: `Role ${roleId}` }] });
  await answer("account.user", 200, {
    accountGroupRoles: [of("1001", "1"), of("1002", "2")],
    allAccountGroupRoles: [{ roleId: "3" }],
  });
  await allow("View endpoint tests");
  await allow("Edit tags");
  expect(await roleLabels(clientOf(), "1001")).toEqual({ roles: ["Role 1", "3"], edits: ["Edit tags"] });
});

test("the review warns if the user's role has no edit permission", async () => {
  const analysis = await reviewed(emulator.url, steps);
  const [advantage] = analysis.review.load?.licenses ?? [];
  expect(advantage).toMatchObject({ license: "advantage", included: 1_000 });
  expect(toMarkdown(analysis)).toContain(`${busiest}: advantage ${advantage?.peak} of 1,000, essentials `);
  expect(analysis.warnings).toEqual([]);
  await answer("account.usage", 403);
  await allow("View endpoint tests");
  const refused = await reviewed(emulator.url, steps);
  expect(refused.review.load).not.toHaveProperty("licenses");
  expect(refused.warnings).toEqual([
    // A user who may name a role controls a part of the text.
    [
      {
        as: "error",
        text: 'the role Organization Admin has no permission labeled "Edit …", so the service may refuse changes',
      },
    ],
  ]);
});
