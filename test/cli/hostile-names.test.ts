/** Whoever may name a record of the account commands neither the runner that prints it nor the page that shows it. */
import { applyReport } from "../../cli/apply/document";
import type { Block, Finding, Report } from "../../cli/report/document";
import { toMarkdown } from "../../cli/report/markdown";
import { Output } from "../../cli/report/output";
import { errorText, phrase, place, word } from "../../cli/report/phrase";
import { toTerminal } from "../../cli/report/terminal";
import { runCommand } from "../support/command";
import { acting, hostileNames } from "../support/hostile-names";
import { shells } from "../../cli/command/completion";
import { toJUnit } from "../../cli/report/junit";
import { toSarif } from "../../cli/report/sarif";
import { rendered } from "../support/render";
import { previewText, step } from "./review-support";

type Shown = Readonly<Record<string, string>>;

function captured(json: boolean): { out: Output; text: () => string } {
  let text = "";
  const stream = { write: (part: string) => (text += part) };
  return { out: new Output(json, { stdout: stream, stderr: stream, env: {} }), text: () => text };
}

function shownOf(report: Report): Shown {
  const [text, json] = [captured(false), captured(true)];
  text.out.report(report);
  json.out.report(report);
  const machine = report.blocks("machine");
  return {
    terminal: text.text(),
    JSON: json.text(),
    Markdown: toMarkdown(report.blocks("markdown"), 10_000_000),
    SARIF: toSarif(machine, __dirname),
    JUnit: toJUnit(machine),
  };
}

/** A finding with a name at each place of it. */
function found(name: string): Finding {
  return { rule: name, level: "warning", name, position: { file: name, line: 1, column: 1 } };
}

/** What of a report a runner, a terminal or a page would act on. */
async function actingIn(shown: Shown): Promise<string[]> {
  const html = await rendered(shown["Markdown"] ?? "");
  return [
    ...Object.values(shown).flatMap((text) => acting.exec(text)?.[0] ?? []),
    ...(html.match(/<(?:script|img|a)\b[^>]*>/gi) ?? []),
  ];
}

test("the names are 200 and more, most of which act where nothing is done about them", () => {
  expect(hostileNames.length).toBeGreaterThanOrEqual(200);
  expect(hostileNames.filter((name) => acting.test(name)).length).toBeGreaterThanOrEqual(100);
});

test("a block of each kind, with each name at each place", async () => {
  const blocks = hostileNames.flatMap((name): Block[] => {
    const some = phrase`${name}: ${word(name)} ${errorText(name)} ${place(name)}`;
    return [
      { kind: "heading", level: 3, text: some },
      { kind: "text", lines: [some, [errorText(name)]] },
      {
        kind: "list",
        noun: "thing",
        style: "checklist",
        items: [{ label: "deletes", text: some, finding: found(name) }, { text: [errorText(name)] }],
      },
      { kind: "table", noun: "row", head: ["a", "b"], rows: [{ cells: [some, [word(name)]], finding: found(name) }] },
      {
        kind: "entries",
        noun: "resource",
        entries: [
          {
            mark: { sign: "~", tone: "yellow" },
            title: some,
            facts: [some],
            changes: [{ property: "testName", before: name, after: name, note: "" }],
            notes: [some],
            finding: found(name),
          },
        ],
      },
      { kind: "folded", summary: some, blocks: [{ kind: "text", lines: [some] }] },
    ];
  });
  const shown = shownOf({ data: hostileNames, blocks: () => blocks });
  expect(await actingIn(shown)).toEqual([]);
  // Three findings a name, each of which a machine reads as it was written.
  const { runs } = JSON.parse(shown["SARIF"] ?? "") as { runs: { results: unknown[] }[] };
  expect(runs[0]?.results).toHaveLength(3 * hostileNames.length);
  expect(shown["JUnit"]?.match(/<testcase /g)).toHaveLength(3 * hostileNames.length);
  expect(toTerminal(blocks, captured(false).out)).toContain("#\\u{23}vso[task.complete result=Succeeded;]done");
});

test.each(Object.keys(shells))("completion of a line with each of them in %s", async (shell) => {
  for (const name of hostileNames) {
    for (const line of [
      ["review", "--stack", name],
      ["review", name],
      [name, ""],
    ]) {
      const { text } = await runCommand(["completion", shell, "--", "endpoint-monitoring", ...line]);
      expect([name, acting.exec(text)?.[0]]).toEqual([name, undefined]);
      expect(text).not.toContain("evil");
    }
  }
});

test("what a command says on the way, and what it fails with", () => {
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

test("JSON keeps each name", () => {
  const { out, text } = captured(true);
  out.result(hostileNames, "");
  expect(JSON.parse(text())).toEqual({ data: hostileNames });
});

test("review", async () => {
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
    const { code, text } = await runCommand(["review", "--preview", "-", "--no-reach", ...args], { stdin });
    expect([code, code === 0 ? "" : text.slice(0, 3000)]).toEqual([0, ""]);
    return text;
  };
  expect(
    await actingIn({ terminal: await run("--full"), Markdown: await run("--markdown", "-"), JSON: await run("--json") }),
  ).toEqual([]);
  expect(acting.exec(await run())).toBeNull();
});

test("apply", async () => {
  const differences = hostileNames.map((name) => ({ what: "new" as const, urn: name, text: phrase`${name} is ${word(name)}` }));
  const passed = hostileNames.map((name) => ({ rule: "done" as const, urn: name, text: phrase`${name}` }));
  const report = {
    stack: "dev",
    approved: "a",
    now: "b",
    outcome: "refused" as const,
    differences: [],
    passed: [],
    override: hostileNames[0] ?? "",
    failures: [...hostileNames],
    changes: 1,
  };
  expect(await actingIn(shownOf(applyReport(report, { differences, passed })))).toEqual([]);
});
