/** The steps of the demo with examples/quickstart. Each step checks the result of its command. */
import fs from "node:fs";
import path from "node:path";

/** A failed check of the demo, or a command with an unexpected exit code. The error is printed without a stack trace. */
export class DemoFailure extends Error {
  name = "DemoFailure";
}

const labels = "/v7/endpoint/labels";
const agentToServer = "/v7/endpoint/tests/scheduled-tests/agent-to-server";
const httpServer = "/v7/endpoint/tests/scheduled-tests/http-server";

const programOf = ({ folder }) => path.join(folder, "index.ts");

/** Replaces a text of the program and shows the change as a diff. */
function edit(context, before, after) {
  const program = fs.readFileSync(programOf(context), "utf8");
  if (!program.includes(before)) throw new DemoFailure(`examples/quickstart/index.ts should have "${before}".`);
  fs.writeFileSync(programOf(context), program.replace(before, after));
  context.output(`- ${before}\n+ ${after}`);
}

const testNamed = async ({ send }, name, target = agentToServer) =>
  (await send("GET", target)).tests.find(({ testName }) => testName === name);

async function namesOfAll({ send }) {
  const collections = [labels, agentToServer, httpServer, "/v7/endpoint/tests/dynamic-tests/agent-to-server"];
  const lists = await Promise.all(collections.map((target) => send("GET", target)));
  return lists.flatMap((list) => list.labels ?? list.tests).map(({ name, testName }) => name ?? testName);
}

const declared = "Intranet, Laptops on Wi-Fi, Meetings, Office, Office DNS, Portal, Remote on VPN, VPN gateway";
const inOrder = (texts) => texts.toSorted((a, b) => a.localeCompare(b)).join(", ");

async function create(context) {
  const { check, pulumi, run, writesOf } = context;
  const reviewing = await writesOf(() => run("review"));
  check("the review changed nothing in the service", {}, reviewing);
  const creates = await writesOf(() => pulumi("up --yes --skip-preview"));
  const counts = inOrder(Object.entries(creates).map(([operation, count]) => `${count} ${operation.replace(".create", "")}`));
  check("one request created each record", "1 tests.dynamic, 2 tests.agentToServer, 2 tests.httpServer, 3 labels", counts);
  check("the service has exactly the records of the program", declared, inOrder(await namesOfAll(context)));
  const { id } = (await context.send("GET", labels)).labels.find(({ name }) => name === "Remote on VPN");
  const { agentSelectorConfig } = await testNamed(context, "VPN gateway");
  check("the test selects agents by the id of its label", [id], agentSelectorConfig.endpointAgentLabels);
  const again = await writesOf(() => pulumi("up --yes --skip-preview"));
  check("a second update changes nothing", {}, again);
}

async function change(context) {
  const { check, pulumi, run, writesOf } = context;
  const before = await testNamed(context, "Intranet", httpServer);
  edit(context, "  interval: 300,\n  agentSelectorType", "  interval: 120,\n  agentSelectorType");
  edit(context, "  httpTimeLimit: 3000,", "  httpTimeLimit: 4000,");
  const review = await run("review --fail-on replacements", 2);
  check("the review stops: a replacement deletes the results of a test", true, review.includes("httpTimeLimit: 3000 → 4000"));
  const writes = await writesOf(() => pulumi("up --yes --skip-preview"));
  const expected = "tests.agentToServer.update, tests.httpServer.create, tests.httpServer.delete";
  check("three requests changed something: an update, a delete, a create", expected, inOrder(Object.keys(writes)));
  const after = await testNamed(context, "Intranet", httpServer);
  check("Intranet has the new time limit", 4000, after.httpTimeLimit);
  check("Intranet has a new id", true, after.testId !== before.testId);
}

/** Changes the interval of a test, as a user does in the service's UI. */
async function meddle(context) {
  const { testId } = await testNamed(context, "VPN gateway");
  await context.send("PATCH", `${agentToServer}/${testId}`, { interval: 600 });
}

async function repair(context) {
  const { check, run, writesOf } = context;
  await meddle(context);
  const drift = await run("drift", 2);
  check("drift reports the property", true, drift.includes("interval: 120 → 600"));
  const writes = await writesOf(() => run("drift --fix"));
  check("one request changed something", { "tests.agentToServer.update": 1 }, writes);
  check("the interval is that of the program again", 120, (await testNamed(context, "VPN gateway")).interval);
}

async function accept(context) {
  const { check, pulumi, run, writesOf } = context;
  await meddle(context);
  const writes = await writesOf(() => run("drift --accept"));
  check("the service was not changed", {}, writes);
  const program = fs.readFileSync(programOf(context), "utf8");
  check("the program has the new interval", true, program.includes("  interval: 600,\n  agentSelectorType"));
  await pulumi("preview --expect-no-changes");
}

async function importLabel(context) {
  const { check, output, pulumi, run, send, writesOf } = context;
  await send("POST", labels, { name: "Guests", matchType: "and", filters: [{ key: "ssid", values: ["guest-*"] }] });
  const writes = await writesOf(() => run("import --match Guests --run"));
  check("the service was not changed", {}, writes);
  const text = fs.readFileSync(path.join(context.folder, "labels.ts"), "utf8");
  context.say("  labels.ts, which index.ts loads:");
  output(text);
  check("the program declares the label", true, text.includes('name: "Guests"'));
  await pulumi("preview --expect-no-changes");
}

async function destroy(context) {
  const { check, pulumi } = context;
  await pulumi("state unprotect --all --yes");
  await pulumi("destroy --yes --skip-preview");
  check("the service is empty", [], await namesOfAll(context));
}

export const steps = [
  { title: "Create a program's labels and tests", run: create },
  { title: "Change the program: review, then update", run: change },
  { title: "Repair a change that was made by hand", run: repair },
  { title: "Accept such a change into the program", run: accept },
  { title: "Import a label that was created in the UI", run: importLabel },
  { title: "Destroy", run: destroy },
];
