/** CI runners, terminals and browsers must not act on text in the names of records. */
import { applyReport } from "../../cli/commands/apply/report";
import type { Finding } from "../../common/finding";
import type { Block, Report } from "../../cli/report/document";
import { formats } from "../../cli/report/formats";
import { toMarkdown } from "../../cli/report/markdown";
import { Output } from "../../cli/report/output";
import { errorText, phrase, place, word } from "../../common/phrase";
import { toTerminal } from "../../cli/report/terminal";
import { runCommand, silentIo } from "../support/command";
import { commandNamed, commandNames } from "../../cli/command/list";
import { driftDocument } from "../../cli/commands/drift/report";
import type { DriftOutcome, DriftReport, StackDrift } from "../../cli/commands/drift/data";
import { type ImportOutcome, importReport } from "../../cli/commands/import/report";
import { migrationReport, type MigrationReport } from "../../cli/commands/migrate/run";
import { type Rehearsal, rehearsalReport } from "../../cli/commands/rehearse/report";
import { boundsOf } from "../../cli/commands/verify/limits";
import { type Verification, verifyReport } from "../../cli/commands/verify/report";
import type { TestVerdict } from "../../cli/commands/verify/test-run";
import { registry } from "../../provider/registry";
import { drifted, reference } from "../cli/drift-support";
import { httpTest, imported, label } from "../cli/import-support";
import { acting, hostileNames } from "../support/hostile-names";
import { rendered } from "../support/render";
import { previewText, step } from "../cli/review-support";

type Shown = Readonly<Record<string, string>>;

function captured(json: boolean): { out: Output; text: () => string } {
  let text = "";
  const stream = { write: (part: string) => (text += part) };
  return { out: new Output(json, { stdout: stream, stderr: stream, env: {} }), text: () => text };
}

/** Returns a report in every format of a command. @param command absent: all formats */
function shownOf(report: Report, command?: string): Shown {
  const [text, json] = [captured(false), captured(true)];
  text.out.report(report);
  json.out.report(report);
  const offered = command === undefined ? formats : (commandNamed(command)?.options ?? {});
  const written = Object.entries(formats)
    .filter(([form]) => form in offered)
    // Markdown without the limit of a comment, so that the test reads all of it.
    .map(([form, write]) => [
      form,
      form === "markdown" ? toMarkdown(report.blocks("markdown"), 10_000_000) : write(report, __dirname),
    ]);
  return { terminal: text.text(), json: json.text(), ...(Object.fromEntries(written) as Shown) };
}

/** A finding with the name in each of its parts. */
function findingOf(name: string): Finding {
  return {
    rule: name,
    level: "warning",
    subject: { noun: name, name },
    text: phrase`${name} ${errorText(name)}`,
    position: { file: name, line: 1, column: 1 },
  };
}

/** Text in a report that a runner, a terminal or a page would act on. */
async function actingIn(shown: Shown): Promise<string[]> {
  const html = await rendered(shown["markdown"] ?? "");
  return [
    ...Object.entries(shown).flatMap(([form, text]) => {
      const { index } = acting.exec(text) ?? {};
      return index === undefined ? [] : [`${form}: ${text.slice(Math.max(0, index - 60), index + 30)}`];
    }),
    ...(html.match(/<(?:script|img|a)\b[^>]*>/gi) ?? []),
  ];
}

test("at least 100 of the 200 hostile names would have an effect without escaping", () => {
  expect(hostileNames.length).toBeGreaterThanOrEqual(200);
  expect(hostileNames.filter((name) => acting.test(name)).length).toBeGreaterThanOrEqual(100);
});

test("every block of a report escapes hostile names", async () => {
  const blocks = hostileNames.flatMap((name): Block[] => {
    const hostile = phrase`${name}: ${word(name)} ${errorText(name)} ${place(name)}`;
    return [
      { kind: "heading", level: 3, text: hostile },
      { kind: "text", lines: [hostile, [errorText(name)]] },
      {
        kind: "list",
        noun: "thing",
        style: "bullets",
        items: [{ label: "deletes", text: hostile }, { text: [errorText(name)] }],
      },
      { kind: "table", noun: "row", head: ["a", "b"], rows: [{ cells: [hostile, [word(name)]] }] },
      {
        kind: "entries",
        noun: "resource",
        entries: [
          {
            mark: { sign: "~", tone: "yellow" },
            title: hostile,
            facts: [hostile],
            changes: [{ property: "testName", before: name, after: name, note: "" }],
            notes: [hostile],
          },
        ],
      },
      { kind: "folded", summary: hostile, blocks: [{ kind: "text", lines: [hostile] }] },
    ];
  });
  const shown = shownOf({ data: hostileNames, findings: hostileNames.map(findingOf), blocks: () => blocks });
  expect(await actingIn(shown)).toEqual([]);
  // JSON output keeps each name unchanged.
  const { runs } = JSON.parse(shown["sarif"] ?? "") as { runs: { results: unknown[] }[] };
  expect(runs[0]?.results).toHaveLength(hostileNames.length);
  expect(shown["junit"]?.match(/<testcase /g)).toHaveLength(hostileNames.length);
  expect(toTerminal(blocks, captured(false).out)).toContain("#\\u{23}vso[task.complete result=Succeeded;]done");
});

test("progress, warnings and errors escape hostile names", () => {
  for (const name of hostileNames) {
    for (const json of [false, true]) {
      const { out, text } = captured(json);
      out.progress(name);
      out.count(1, 2, name);
      out.wait({ operation: name, reason: name, ms: 1 });
      out.warn(name);
      out.note(name);
      out.error(name);
      out.note(out.paint("red", name));
      if (!json) out.result(name, name);
      out.failure("work", name);
      expect([name, acting.exec(text())?.[0]]).toEqual([name, undefined]);
    }
  }
});

test("JSON output keeps each hostile name unchanged", () => {
  const { out, text } = captured(true);
  out.result(hostileNames, "");
  expect(JSON.parse(text())).toEqual({ data: hostileNames });
});

test("the review report escapes hostile names", async () => {
  const steps = hostileNames.flatMap((name, at) => [
    step("update", "label", name, {
      id: `${at}`,
      before: { name: "a", matchType: "or", filters: [] },
      after: { name, matchType: "or", filters: [] },
    }),
    step("delete", "httpServerTest", `${at} ${name}`, { id: name, before: { testName: name, url: name } }),
  ]);
  const stdin = previewText(steps);
  const run = async (...args: string[]): Promise<string> => {
    const { code, text } = await runCommand(["review", "--preview", "-", "--offline", ...args], { stdin });
    expect([code, code === 0 ? "" : text.slice(0, 3000)]).toEqual([0, ""]);
    return text;
  };
  expect(
    await actingIn({ terminal: await run("--details"), markdown: await run("--markdown", "-"), json: await run("--json") }),
  ).toEqual([]);
  expect(acting.exec(await run())).toBeNull();
});

test.each(commandNames)("the command %s escapes hostile names in unknown arguments", async (command) => {
  for (const name of hostileNames) {
    for (const line of [[`--${name}`], ["--json", `--${name}`], ["--no-such-option", name]]) {
      const { code, text } = await runCommand([command, ...line]);
      expect([name, code, acting.exec(text)?.[0]]).toEqual([name, expect.any(Number), undefined]);
    }
  }
});

test("the drift report escapes hostile names", async () => {
  const stacks = hostileNames.map((name, at): StackDrift => {
    const ref = reference("label", name, { id: name, stack: `${at}`, position: { file: name, line: 1, column: 1 } });
    const properties = drifted("label", name, [{ property: name, before: name, after: { [name]: [name] } }]).properties;
    const changed = { ...ref, properties, replacementCost: "its results" };
    return {
      stack: name,
      resources: 3,
      changed: [changed],
      missing: [{ ...ref, referredToBy: [name] }],
      notes: [changed],
      ignored: [{ ...ref, properties, isMissing: false, reason: name }],
      fixReplaces: [{ ...ref, replacementCost: "its results" }],
      error: { code: "work", message: name },
    };
  });
  const unmanaged = hostileNames.map((name) => ({ kind: "label" as const, id: name, name, accountGroupId: name }));
  const resources = hostileNames.map((name) => ({ ...reference("label", name), how: "changed" as const, properties: [name] }));
  const outcome: DriftOutcome = {
    resources,
    left: hostileNames.map((name) => ({ ...reference("label", name), reason: name })),
    pending: hostileNames.map((name) => ({ stack: name, op: "update", name, urn: name })),
    failures: [...hostileNames],
  };
  const report: DriftReport = {
    drift: true,
    stacks,
    unmanaged,
    unseen: [],
    ignoredUnmanaged: unmanaged.map((record) => ({ ...record, reason: record.name })),
    failures: [...hostileNames],
    fixed: outcome,
    accepted: { ...outcome, files: [...hostileNames] },
  };
  for (const full of [false, true])
    expect(
      await actingIn(
        shownOf(
          driftDocument(report, (_, id) => id, full),
          "drift",
        ),
      ),
    ).toEqual([]);
});

test("the migrate report escapes hostile names", async () => {
  const report: MigrationReport = {
    // The engine allows only letters and digits in a stack name.
    stack: "dev",
    state: "blocked",
    step: "tests",
    files: hostileNames,
    left: hostileNames.map((name) => ({ kind: "label", name, id: name, reason: "is shared", advice: "Do it" })),
    shared: hostileNames.map((name) => ({ label: name, labelId: name, tagId: name })),
    otherStacks: hostileNames,
    next: ["Run it"],
  };
  for (const state of ["written", "planned", "waiting", "blocked", "done"] as const)
    expect(await actingIn(shownOf(migrationReport({ ...report, state }), "migrate"))).toEqual([]);
});

test("the rehearse report escapes hostile names", async () => {
  const failures = hostileNames.map((name) => ({ urn: name, reason: name }));
  const tests = hostileNames.map((name) => ({
    id: name,
    testName: name,
    accountGroupId: name,
    before: 1,
    after: 2,
    started: [name],
    stopped: [name],
    withoutRoom: 1,
    withoutRoomBefore: 0,
  }));
  const rehearsal: Rehearsal = {
    stack: hostileNames[0] ?? "",
    copy: { accountGroups: hostileNames, records: 1, agents: 1, reads: 1, refused: hostileNames },
    update: { changes: { create: 1 }, failures, requests: { total: 1, operations: {} }, seconds: 1 },
    tests,
    second: hostileNames.map((name) => ({ op: "update", urn: name, name })),
    destroy: { resources: 1, deleted: 0, failures },
    references: hostileNames.map((name) => phrase`${name}`),
    licenses: [],
    strayed: false,
    leftOut: 1,
    measured: 1,
  };
  for (const edits of [[], [...hostileNames]]) {
    const whole = { ...rehearsal, role: { roles: [...hostileNames], edits } };
    expect(await actingIn(shownOf(rehearsalReport(whole), "rehearse"))).toEqual([]);
  }
});

test("the verify report escapes hostile names", async () => {
  const verdicts = hostileNames.map((name): TestVerdict => {
    const kind = registry.httpServerTest;
    const outputs = { testName: name };
    const resource = {
      stack: "dev",
      urn: name,
      name,
      kindName: kind.name,
      kind,
      id: name,
      inputs: outputs,
      outputs,
      secrets: new Set(),
    };
    return {
      // The parts that a report reads.
      resource: resource as unknown as TestVerdict["resource"],
      http: true,
      cause: name,
      outcome: "failed",
      reasons: [name],
      measured: [{ agentId: name, roundId: 1, available: false }],
    };
  });
  const verification: Verification = {
    stack: hostileNames[0] ?? "",
    update: undefined,
    bounds: boundsOf({ "max-loss": "5" }),
    verdicts,
    agents: new Map(verdicts.map((verdict) => [verdict, [verdict.resource.name]])),
  };
  expect(await actingIn(shownOf(verifyReport(verification, ""), "verify"))).toEqual([]);
});

test("the import report escapes hostile names", async () => {
  const listed = hostileNames.flatMap((name, at) => [label(`${at}`, name), httpTest(`t${at}`, name)]);
  const { items, raw } = await imported(listed);
  const outcome: ImportOutcome = {
    dryRun: true,
    stack: hostileNames[0],
    root: "/p",
    accountGroups: hostileNames,
    items,
    files: [],
    projectFile: undefined,
    importFile: undefined,
    entries: [],
    imported: false,
    problems: hostileNames,
    next: [],
  };
  expect(await actingIn(shownOf(importReport(outcome, silentIo()), "import"))).toEqual([]);
  // The program contains the names only as string literals. `imported` has parsed it.
  expect(Object.values(raw).flatMap((text) => /(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u.exec(text)?.[0] ?? [])).toEqual([]);
});

test("the apply report escapes hostile names", async () => {
  const differences = hostileNames.map((name) => ({ what: "new" as const, urn: name, text: phrase`${name} is ${word(name)}` }));
  const passed = hostileNames.map((name) => ({ rule: "done" as const, urn: name, text: phrase`${name}` }));
  const report = {
    stack: "dev",
    approved: "a",
    now: "b",
    outcome: "refused" as const,
    differences,
    passed,
    override: hostileNames[0] ?? "",
    failures: [...hostileNames],
    changes: 1,
  };
  expect(await actingIn(shownOf(applyReport(report), "apply"))).toEqual([]);
});
