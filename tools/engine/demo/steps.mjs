/** What the demo shows, step by step, and what has to be true after each command. */
import fs from "node:fs";
import path from "node:path";

import { same } from "./failure.mjs";
import { byName, declared, editProgram, edits, everything, namesByKind, selections } from "./quickstart.mjs";

/** Interval that somebody sets by hand. */
const MEDDLED = 600;

/** A label that somebody creates in the UI. */
const created = { name: "Guests", matchType: "and", filters: [{ key: "ssid", values: ["guest-*"] }] };

/** A request as a user types it. */
function curl(method, target, body) {
  const headers = '-H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json"';
  return `curl -X ${method} ${headers} \\\n    -d '${JSON.stringify(body)}' "$URL${target}"`;
}

/** What a preview asks to say which agents a change reaches. */
const lists = ["accountGroups", "agents", "labels", "tags", "tests.agentToServer", "tests.dynamic", "tests.httpServer"];
const once = (names) => Object.fromEntries(names.map((name) => [`${name}.list`, 1]));
/** What names a test that is replaced. */
const referring = ["alertRules", "streams"];

/** Requests that change something; how often the provider looks is another matter. */
const writes = (requests) => pick(requests, (operation) => !/\.(list|get|issue|filter)$|^account\./.test(operation));
const without = (records, ...names) => pick(records, (name) => !names.includes(name));
const pick = (object, wanted) => Object.fromEntries(Object.entries(object).filter(([name]) => wanted(name)));
/** Name of a step's resource in the program. */
const resourceOf = ({ urn }) => urn.split("::").at(-1);

/** Files below a folder that hold a text. */
function filesWith(folder, text) {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map((entry) => path.join(entry.parentPath, entry.name));
  return files.filter((file) => fs.readFileSync(file).includes(text));
}

async function create({ pulumi, check, service, workspace, secrets }) {
  await pulumi("pulumi stack init dev");
  await pulumi('pulumi config set endpoint-monitoring:baseUrl "$URL"');
  await pulumi('pulumi config set --secret endpoint-monitoring:token "$TOKEN"');
  await pulumi('pulumi config set --secret quickstart:probePassword "$PROBE_PASSWORD"');

  const preview = await pulumi("pulumi preview");
  check(
    `the preview shows ${everything} to create: 3 labels, 5 tests and the stack itself`,
    { create: everything },
    preview.changes,
  );
  check(
    "the preview asked for each list once, to say whom the change reaches, and wrote nothing",
    once(lists),
    preview.requests,
  );

  const up = await pulumi("pulumi up --yes --skip-preview");
  check(`${everything} created`, { create: everything }, up.changes);
  const creates = { labels: 3, "tests.agentToServer": 2, "tests.httpServer": 2, "tests.dynamic": 1 };
  const expected = Object.fromEntries(Object.entries(creates).map(([area, count]) => [`${area}.create`, count]));
  check("one request created each of them", expected, writes(up.requests));

  const records = await service.records();
  check("the service holds exactly what the program declares", declared, namesByKind(records));
  const held = byName(records);
  const selected = ([test]) => held[test].agentSelectorConfig.endpointAgentLabels.toSorted();
  const wanted = ([, labels]) => labels.map((label) => held[label].id).toSorted();
  const pairs = Object.entries(selections);
  check("the tests select agents by the ids that the labels were given", pairs.map(wanted), pairs.map(selected));
  const leaks = Object.values(secrets).flatMap((secret) => filesWith(workspace.backend, secret));
  check("password and token are encrypted in the stack's state", [], leaks);
}

async function repeat({ pulumi, check }) {
  const up = await pulumi("pulumi up --yes");
  check(`all ${everything} stay as they are`, { same: everything }, up.changes);
  check("no request was sent to the service", {}, up.requests);
}

async function change({ pulumi, check, service, workspace, report }) {
  const before = byName(await service.records());
  report.say("  Edited in index.ts:");
  editProgram(path.join(workspace.program, "index.ts")).forEach(report.output);

  const { from, to } = edits.intranet;
  const changes = { update: 1, replace: 1, same: everything - 2 };
  const preview = await pulumi("pulumi preview");
  check("the preview shows one update and one replacement", changes, preview.changes);
  const plan = preview.planned
    .filter(({ op }) => op === "update" || op === "replace")
    .map((step) => [resourceOf(step), step.op, step.keys ?? []])
    .toSorted();
  const expected = [
    ["intranet", "replace", ["httpTimeLimit"]],
    ["vpn-gateway", "update", []],
  ];
  check("it updates vpn-gateway and replaces intranet, because of httpTimeLimit", expected, plan);
  const reason = `replace HTTP-server test "Intranet" (${before.Intranet.testId}): httpTimeLimit ${from} -> ${to};`;
  check(
    "the provider says why, in one line",
    [reason],
    preview.messages.map((message) => message.slice(0, reason.length)),
  );
  check(
    "the preview asked for each list once, to say whom the change reaches and who names the test, and wrote nothing",
    once([...lists, ...referring]),
    preview.requests,
  );

  const review = await pulumi("endpoint-monitoring review --fail-on replacements", 2);
  const says = (pattern) => review.printed.some((line) => pattern.test(line));
  report.say("  Exit code 2: --fail-on found what a pipeline is to stop for. Without it the review ends with 0.");
  check(
    "the review says how many agents intranet reaches, and what its replacement costs",
    true,
    [
      /replacements: HTTP-server test "intranet" .*the result history of the old one ends/,
      /replaced HTTP-server test intranet .*agents \d/,
      /~ httpTimeLimit: 3000 → 4000/,
    ].every(says),
  );
  check("reading was all it did", {}, writes(review.requests));

  const up = await pulumi("pulumi up --yes --skip-preview");
  check("one updated, one replaced", changes, up.changes);
  const sent = { "tests.agentToServer.update": 1, "tests.httpServer.delete": 1, "tests.httpServer.create": 1 };
  check("three requests changed something: an update, a delete, a create", sent, writes(up.requests));
  const after = byName(await service.records());
  const updated = ({ "VPN gateway": test }) => [test.testId, test.interval];
  check("VPN gateway has the new interval and its old id", [updated(before)[0], edits["vpn-gateway"].to], updated(after));
  check("Intranet has the new time limit", to, after.Intranet.httpTimeLimit);
  check("Intranet has a new id", true, after.Intranet.testId !== before.Intranet.testId);
  const others = (records) => without(records, "VPN gateway", "Intranet");
  check("nothing else changed in the service", others(before), others(after));
}

async function drift({ pulumi, check, service, report }) {
  const before = byName(await service.records());
  const intervalNow = async () => byName(await service.records())["VPN gateway"].interval;
  const interval = edits["vpn-gateway"].to;
  const target = service.pathOf("agentToServer", before["VPN gateway"].testId);
  const body = { interval: MEDDLED };
  report.command(curl("PATCH", target, body));
  await service.patch(target, body);
  check(`the service now has interval ${MEDDLED} where the program says ${interval}`, MEDDLED, await intervalNow());

  const refresh = await pulumi("pulumi refresh --preview-only --diff --expect-no-changes", 7);
  check("exit code 7 and one difference", { update: 1, same: everything - 1 }, refresh.changes);
  const held = ({ inputs, outputs }) => [inputs, outputs];
  const different = refresh.done.filter((step) => step.old && step.new && !same(held(step.old), held(step.new)));
  const found = different.map((step) => [resourceOf(step), step.old.outputs.interval, step.new.outputs.interval]);
  check(`it is vpn-gateway alone: interval ${interval} => ${MEDDLED}`, [["vpn-gateway", interval, MEDDLED]], found);
  check("looking changed nothing in the service", {}, writes(refresh.requests));

  const look = await pulumi("endpoint-monitoring drift", 2);
  const line = `~ interval: ${interval} → ${MEDDLED}`;
  check(
    "drift reports it in a line, too, and where the program declares it",
    true,
    look.printed.some((text) => text.trim() === line),
  );
  check("looking changed nothing in the service", {}, writes(look.requests));

  const mended = await pulumi("endpoint-monitoring drift --mend");
  check("one request changed something", { "tests.agentToServer.update": 1 }, writes(mended.requests));
  check(`the service has interval ${interval} again`, interval, await intervalNow());
  const others = (records) => without(records, "VPN gateway");
  check("nothing else changed in the service", others(before), others(byName(await service.records())));
}

async function accept({ pulumi, check, service, workspace, report }) {
  const before = byName(await service.records());
  const target = service.pathOf("agentToServer", before["VPN gateway"].testId);
  report.command(curl("PATCH", target, { interval: MEDDLED }));
  await service.patch(target, { interval: MEDDLED });

  const accepted = await pulumi("endpoint-monitoring drift --accept");
  check("the service was not changed", {}, writes(accepted.requests));
  const program = fs.readFileSync(path.join(workspace.program, "index.ts"), "utf8").split("\n");
  const at = program.findIndex((line) => line.includes(`Test("vpn-gateway"`));
  const line = program.slice(at).find((text) => text.includes("interval:"));
  report.say("  In index.ts now:");
  [program[at], line].forEach(report.output);
  check(`the program says interval ${MEDDLED} now, as the service does`, `  interval: ${MEDDLED},`, line);
  const preview = await pulumi("pulumi preview");
  check("program, state and service agree", { same: everything }, preview.changes);
}

async function importLabel({ pulumi, check, service, workspace, report }) {
  const target = service.pathOfAll("labels");
  report.command(curl("POST", target, created));
  await service.post(target, created);

  const run = await pulumi(`endpoint-monitoring import --match '${created.name}' --run`);
  check("the service was not changed", {}, writes(run.requests));
  report.say("  labels.ts, which index.ts loads:");
  const text = fs.readFileSync(path.join(workspace.program, "labels.ts"), "utf8");
  text.trimEnd().split("\n").forEach(report.output);
  check("the program declares the label", true, text.includes(`name: "${created.name}"`));
  const preview = await pulumi("pulumi preview");
  check("the stack manages it: there is nothing to do", { same: everything + 1 }, preview.changes);
}

async function destroy({ pulumi, check, service }) {
  const held = Object.values(await service.records()).flat().length;
  await pulumi("pulumi state unprotect --all --yes");
  const { changes } = await pulumi("pulumi destroy --yes");
  check(`${held + 1} deleted`, { delete: held + 1 }, changes);
  const empty = Object.fromEntries(Object.keys(declared).map((kind) => [kind, []]));
  check("the service is empty", empty, namesByKind(await service.records()));
}

/** Name (a column of the cost table), heading, and what to expect. */
export const steps = [
  {
    name: "create",
    title: "Create: a new stack, preview, up",
    expect: "Labels and tests that do not exist yet are created, labels before the tests that refer to them.",
    run: create,
  },
  {
    name: "no change",
    title: "No change: up again",
    expect: "Everything is as declared: nothing to do, and not one request to find out.",
    run: repeat,
  },
  {
    name: "change",
    title: "Change the program: preview, up",
    expect: "An interval can be updated; a time limit can be set at creation only, so that test is replaced.",
    run: change,
  },
  {
    name: "drift",
    title: "Drift: a change outside of Pulumi, found and fixed",
    expect: "A plain preview compares program and state only; refresh and drift ask the service, and drift --mend fixes it.",
    run: drift,
  },
  {
    name: "accept",
    title: "Accept: the same change, taken into the program instead",
    expect: "drift --accept edits the program where it declares the test: program, state and service agree again.",
    run: accept,
  },
  {
    name: "import",
    title: "Import: a label that was created in the UI",
    expect: "import writes the code that declares it, and takes it into the stack. The service is only read.",
    run: importLabel,
  },
  {
    name: "destroy",
    title: "Destroy",
    expect: "Everything that the stack manages is deleted. What was imported is protected, until it is not.",
    run: destroy,
  },
];
