/** Tests a review's texts about removed resources, groups of resources and values, in Markdown, on the terminal and as JSON. */
import { groupsOf } from "../../../../plan/groups";
import { groupFindings } from "../../../../cli/commands/review/groups";
import { type CheckName, checkNames, reviewChecks } from "../../../../plan/judge/checks";
import { runCommand } from "../../../support/command";
import { plainEnv } from "../../../support/process";
import { rendered } from "../../../support/render";
import { offline, previewText, step, toMarkdown, urnOf, visibleLines } from "../../review-support";
import type { EngineStep } from "../../../../engine/preview-output";
import { phraseText } from "../../../../common/phrase";
import type { Finding } from "../../../../common/finding";

const label = { name: "Office", matchType: "or", filters: [{ key: "platform", values: ["Windows"] }] };
const vpn = { testName: "VPN", server: "vpn.example.com" };
const portal = { testName: "Portal", url: "https://portal.example.com" };

/** Output of the command for a preview, without the service. */
async function printed(steps: readonly EngineStep[], ...args: string[]): Promise<string> {
  const settings = { cwd: "/", env: plainEnv(), stdin: previewText(steps) };
  const { code, stdout } = await runCommand(["review", "--preview", "-", "--offline", ...args], settings);
  expect(code).toBe(0);
  return stdout;
}

describe("resources that an update removes only from state", () => {
  const retained = (name: string) =>
    step("delete", "agentToServerTest", name, { id: name, before: vpn, rest: { retainOnDelete: true } });
  const none = { created: 0, updated: 0, replaced: 0, deleted: 0, forgotten: 0 };

  test.each<[string, EngineStep[], string]>([
    ["retainOnDelete", [retained("kept")], "the agent-to-server test stays in the service"],
    [
      "a resource with deletedWith that the service does not delete",
      [
        step("delete", "agentToServerTest", "kept", { id: "1", before: vpn, rest: { deletedWith: urnOf("label", "office") } }),
        step("delete", "label", "office", { id: "2", before: label }),
      ],
      "the agent-to-server test stays in the service",
    ],
    [
      "an agent that stays unchanged",
      [step("delete", "endpointAgent", "kept", { id: "1", before: { agentId: "1" } })],
      "nothing changes in the service",
    ],
    [
      "an agent that is disabled",
      [step("delete", "endpointAgent", "kept", { id: "1", before: { agentId: "1", onDestroy: "disable" } })],
      "the agent stays in the service, disabled",
    ],
    [
      "a test run",
      [step("delete", "testRun", "kept", { id: "1", before: { testId: "1" } })],
      "the service has no record to delete",
    ],
  ])("`review` counts %s as removed from state", async (_, steps, why) => {
    const analysis = offline(steps);
    expect(analysis.review.summary).toMatchObject({ forgotten: 1, deleted: steps.length - 1 });
    const about = analysis.review.resources.find(({ name }) => name === "kept");
    expect(about).toMatchObject({ op: "delete", forgotten: why });
    expect(analysis.review.findings.filter(({ urn }) => urn === about?.urn)).toEqual([]);
    const markdown = toMarkdown(analysis);
    expect(markdown).toMatch(/^### Endpoint monitoring, stack `dev`: (1 deleted, )?1 removed from state\n/);
    expect(markdown).toMatch(new RegExp(`^\\| removed from state \\| [^|]*\`kept\`[^|]* \\| ${why} \\|$`, "m"));
    expect(await printed(steps)).toMatch(new RegExp(`^ {2}- {2}removed from state [^\n]* kept[^\n]*\n {6}${why}$`, "m"));
  });

  test("`review` counts an agent with onDestroy: delete as deleted", () => {
    const gone = step("delete", "endpointAgent", "gone", { id: "1", before: { agentId: "1", onDestroy: "delete" } });
    expect(offline([gone]).review.summary).toMatchObject({ deleted: 1, forgotten: 0 });
  });

  test("`review` counts a resource as deleted if the resource in its deletedWith option stays", () => {
    const rest = { deletedWith: urnOf("label", "office") };
    const { summary, findings } = offline([step("delete", "agentToServerTest", "t", { id: "1", before: vpn, rest })]).review;
    expect(summary).toMatchObject({ deleted: 1, forgotten: 0 });
    expect(findings.map(({ rule }) => rule)).toEqual(["deletes"]);
  });

  test("`review` reports that the old record stays in the service after a replacement with retainOnDelete", () => {
    const { review } = offline([
      step("replace", "httpServerTest", "portal", {
        id: "1",
        before: portal,
        after: { ...portal, httpTimeLimit: 4000 },
        reasons: ["httpTimeLimit"],
        rest: { retainOnDelete: true },
      }),
    ]);
    expect(review.findings.map(({ text }) => text)).toEqual([
      'HTTP server test "portal" is replaced because of httpTimeLimit: ' +
        "the old HTTP server test is removed from state and stays in the service next to the new one",
    ]);
  });

  test("`review` counts retained resources of other providers as removed from state", () => {
    const foreign = (name: string, rest: object): EngineStep => {
      const urn = `urn:pulumi:dev::test::random:index:RandomString::${name}`;
      return { op: "delete", urn, oldState: { urn, type: "random:index:RandomString", custom: true, ...rest } };
    };
    const { review } = offline([foreign("a", {}), foreign("b", { retainOnDelete: true })]);
    expect(review.summary.others).toEqual({ ...none, deleted: 1, forgotten: 1 });
  });
});

/** Changes of every kind, too many to read one by one. */
const many = (number: number): EngineStep[] =>
  Array.from({ length: number }, (_, n): EngineStep => {
    const id = String(n);
    const name = `r${String(n).padStart(3, "0")}`;
    const reasons = n % 2 === 0 ? ["maxMachines"] : ["flagPing"];
    const after = n % 2 === 0 ? { ...vpn, maxMachines: n + 30 } : { ...vpn, server: `host-${n}.example.com`, maxMachines: 7 };
    switch (n % 6) {
      case 0:
        return step("delete", "label", name, { id, before: { ...label, name }, protect: n % 12 === 0 });
      case 1:
        return step("delete", "agentToServerTest", name, { id, before: vpn });
      case 2:
        return step("replace", "agentToServerTest", name, { id, before: vpn, after, reasons });
      case 3:
        return step("update", "httpServerTest", name, { id, before: portal, after: { ...portal, interval: 60 * (n + 2) } });
      case 4:
        return step("create", "dynamicTest", name, { after: { testName: name, application: "webex" } });
      default:
        return step("update", "httpServerTest", name, {
          id,
          before: { ...portal, url: "[secret]" },
          after: { ...portal, url: "[secret]" },
        });
    }
  });

describe("groups of findings", () => {
  test("`review` shows the first names of a group and the number of omitted names", () => {
    const steps = Array.from({ length: 12 }, (_, n) =>
      step("delete", n < 6 ? "agentToServerTest" : "httpServerTest", `t${String(n).padStart(2, "0")}`, {
        id: String(n),
        before: n < 6 ? vpn : portal,
      }),
    );
    const analysis = offline(steps);
    expect(groupFindings(analysis.findings).map(({ text }) => phraseText(text))).toEqual([
      '6 agent-to-server tests and 6 HTTP server tests are deleted: "t00", "t01", "t02" and 9 more',
    ]);
    expect(toMarkdown(analysis)).toContain("HTTP server tests **are deleted**: `t00`, `t01`, `t02` and 9 more\n");
    const same = offline(steps.slice(0, 6));
    expect(groupFindings(same.findings).map(({ text }) => phraseText(text))).toEqual([
      '6 agent-to-server tests are deleted: "t00", "t01", "t02" and 3 more',
    ]);
  });

  test("`review` shows up to five findings of a check on separate lines with their reasons", () => {
    const replaced = (name: string, property: string, value: unknown) =>
      step("replace", "httpServerTest", name, {
        id: name,
        before: portal,
        after: { ...portal, [property]: value },
        reasons: [property],
      });
    const { findings } = offline([
      replaced("a", "httpTimeLimit", 4000),
      replaced("b", "httpTimeLimit", 3000),
      replaced("c", "maxMachines", 7),
    ]);
    const cost = "the test gets a new id and its result history is lost";
    expect(groupFindings(findings).map(({ text }) => phraseText(text))).toEqual([
      `HTTP server test "a" is replaced because of httpTimeLimit: ${cost}`,
      `HTTP server test "b" is replaced because of httpTimeLimit: ${cost}`,
      `HTTP server test "c" is replaced because of maxMachines: ${cost}`,
    ]);
  });

  test("`review` summarizes all findings of 300 changes in at most 25 lines", async () => {
    const steps = many(300);
    const shown = await printed(steps);
    expect(shown.trimEnd().split("\n").length).toBeLessThanOrEqual(25);
    expect(shown).toContain("For all properties add --details, --markdown FILE or --json.");
    const analysis = offline(steps);
    const { findings } = analysis;
    expect(findings.length).toBeGreaterThan(200);

    // The visible part of the Markdown: the summary and the checklist. Everything else is folded.
    const markdown = toMarkdown(analysis);
    const visible = visibleLines(markdown);
    const checklist = visible
      .slice(visible.indexOf(`#### Findings (${findings.length})`))
      .filter((line) => line.startsWith("- "));
    expect([checklist.length > 0, checklist.length <= checkNames.length]).toEqual([true, true]);
    const html = await rendered(markdown);
    for (const { rule, subject } of findings) expect([rule, subject?.urn !== undefined]).toEqual([expect.any(String), true]);
    const groups = groupsOf(analysis.changes, findings).filter(({ members }) => members.length > 1);
    expect(html.match(/<details>/g)).toHaveLength(2 + groups.length);
    expect(markdown).toContain(`<summary>Each finding (${findings.length})</summary>`);

    const { data } = JSON.parse(await printed(steps, "--json"));
    expect([data.findings.length, data.resources.length]).toEqual([findings.length, 300]);
    const full = await printed(steps, "--details");
    expect(full.match(/^ {2}[a-z-]+: /gm)).toHaveLength(findings.length);
    for (const { name } of analysis.review.resources) expect(full).toContain(` ${name}`);
  });

  test("`review` combines 100 findings of one check into one line", () => {
    const words = Object.keys(reviewChecks) as (keyof typeof reviewChecks)[];
    const all = words.flatMap((rule): Finding<CheckName>[] =>
      ["address", "over-license", "agents-off", "over-budget"].includes(rule)
        ? [{ rule, level: "warning", text: ["agents"] }]
        : Array.from({ length: 100 }, (_, n) => ({
            rule,
            level: "warning",
            text: [`${n}`],
            subject: { noun: n % 2 === 0 ? "label" : "dynamic test", name: `n${n}` },
          })),
    );
    const groups = groupFindings(all);
    expect(groups.length).toBeLessThanOrEqual(checkNames.length);
    expect(groups.map(({ rule }) => rule)).toEqual(words);
    expect(groups.map(({ text }) => phraseText(text))).toContain(
      '50 labels and 50 dynamic tests are deleted: "n0", "n2", "n4" and 97 more',
    );
  });

  test("`review` shows every changed property of five resources on the terminal", async () => {
    const shown = await printed(many(5));
    expect(shown).toContain("  ~  updated HTTP server test r003");
    expect(shown).toContain("      ~ interval: 60 → 300\n");
    expect(shown).not.toContain("--details");
  });
});

describe("old and new values in a review", () => {
  const update = (before: object, after: object, rest: object = {}) =>
    step("update", "httpServerTest", "portal", {
      id: "1",
      before: { ...portal, ...before },
      after: { ...portal, ...after },
      ...rest,
    });
  const rowOf = (engineStep: EngineStep) =>
    toMarkdown(offline([engineStep]))
      .split("\n")
      .find((line) => /^\| (updated|\*\*replaced\*\*) /.test(line));

  test("`review` shows old and new values in Markdown and on the terminal", async () => {
    const changedStep = update({ interval: 60, isEnabled: true }, { interval: 300, isEnabled: false });
    expect(rowOf(changedStep)).toBe(
      "| updated | HTTP server test `portal` (`Portal`) | `interval`: `60` → `300`; `isEnabled`: `true` → `false` |",
    );
    const shown = await printed([changedStep]);
    expect(shown).toContain("      ~ interval: 60 → 300\n      ~ isEnabled: true → false\n");
  });

  test("`review` lists properties that force a replacement separately from other changed properties", () => {
    const changedStep = step("replace", "httpServerTest", "portal", {
      id: "1",
      before: portal,
      after: { ...portal, httpTimeLimit: 4000, interval: 300 },
      reasons: ["httpTimeLimit"],
    });
    expect(rowOf(changedStep)).toContain(
      "| because of `httpTimeLimit`: `5000` → `4000`; also changed: `interval`: `60` → `300` |",
    );
  });

  test("`review` shows the added and deleted items of a list", () => {
    const changedStep = step("update", "label", "office", {
      id: "1",
      before: label,
      after: { ...label, filters: [{ key: "platform", values: ["Mac"] }] },
    });
    expect(rowOf(changedStep)).toContain("`filters`: <code>platform&#58; &#43; Mac, &#8722; Windows</code> |");
  });

  test("`review` shortens a long value and shows its length", async () => {
    const long = `https://portal.example.com/${"x".repeat(400)}`;
    const changedStep = update({ url: long }, { url: "https://short.example.com" });
    const length = Array.from(long).length;
    expect(rowOf(changedStep)).toContain(
      `<code>https&#58;&#47;&#47;portal&#46;example&#46;com&#47;${"x".repeat(12)}&#8230; &#40;${length} characters&#41;</code> → `,
    );
    const shown = await printed([changedStep]);
    expect(shown).toContain(`${"x".repeat(92)}… (${length} characters) → https://short.example.com\n`);
    expect(shown).not.toContain("x".repeat(100));
  });

  test("`review` never shows a secret value", async () => {
    const changedStep = update({ url: "[secret]", interval: 60 }, { url: "https://now-clear.example.com", interval: 300 });
    const sides = [{ url: "https://one.example.com" }, { url: "https://two.example.com" }] as const;
    const secret = update(...sides, { rest: { additionalSecretOutputs: ["url"] } });
    for (const changed of [changedStep, secret]) {
      const text = [toMarkdown(offline([changed])), await printed([changed]), await printed([changed], "--json")].join("");
      expect(text).not.toMatch(/one\.example|two\.example|now-clear/);
      expect(text).toContain("url");
    }
    expect(rowOf(secret)).toContain("| `url`: secret, changed |");
  });

  test("`review` counts the properties that it omits", () => {
    const changedStep = update({}, { interval: 300, isEnabled: false, httpTargetTime: 500, isPrioritized: true, port: 1 });
    const row = rowOf(changedStep) ?? "";
    expect(row.split(" → ").length - 1).toBeLessThanOrEqual(6);
  });
});
