/** Tests the review of a preview, without an engine and with the emulator as the service. */
import fc from "fast-check";
import { thisMachineId } from "../../../emulator/fleet/make";
import { comparisonOf } from "../../../plan/step-changes";
import { optionsOf } from "../../../plan/options";
import { stepsByUrn, unknownIn } from "../../../plan/unknown";
import { readPreview } from "../../../engine/preview";
import type { KindName } from "../../../provider/registry";
import { unknownValue } from "../../../provider/values";
import { paths } from "../../emulator/support";
import { useEmulator } from "../../support/emulator";
import { type Made, offline, previewText, reviewed, step, toMarkdown, urnOf } from "../../cli/review-support";
import { amount, seed } from "../../support/amount";
import type { EngineStep } from "../../../engine/preview-output";
import type { EngineResource } from "../../../engine/state";
import { phraseText } from "../../../common/phrase";
import { operationOf } from "../../../plan/steps";

const label = { name: "Office", matchType: "or", filters: [{ key: "platform", values: ["Windows"] }] };
const nobody = { ...label, filters: [{ key: "hostname", values: ["NOWHERE"] }] };
const everybody = { ...label, filters: [{ key: "hostname", values: ["*"] }] };
const vpn = { testName: "VPN", server: "vpn.example.com", maxMachines: 1000 };
const portal = { testName: "Portal", url: "https://portal.example.com" };
const by = (...endpointAgentLabels: string[]) => ({ agentSelectorType: "agent-labels", endpointAgentLabels });

describe("evaluation of a planned step", () => {
  const verdict = (engineStep: EngineStep, changedInputs?: string[]) => {
    const diff = changedInputs && { added: {}, deleted: changedInputs };
    const [judged] = operationOf({
      stack: "dev",
      project: "test",
      steps: [engineStep],
      inputDiffs: diff && new Map([[engineStep.urn, diff]]),
    }).own;
    if (!judged) throw new Error("not ours");
    return comparisonOf(judged);
  };
  const secret = { ...portal, authType: "basic", username: "probe", password: "[secret]" };

  test.each<[string, EngineStep, object]>([
    [
      "a step without changes",
      step("same", "agentToServerTest", "t", { id: "1", before: vpn, after: vpn }),
      { op: "same", changes: [], hidden: [] },
    ],
    [
      "a step with a value that the service normalizes",
      step("same", "httpServerTest", "t", {
        id: "1",
        before: portal,
        after: { ...portal, url: "HTTPS://Portal.Example.com:443/" },
      }),
      { op: "same", changes: [] },
    ],
    [
      "drift that a refresh has found",
      step("update", "agentToServerTest", "t", { id: "1", before: vpn, outputs: { interval: 900 }, after: vpn }),
      { op: "update", changes: [{ property: "interval", how: "changed", before: 900, after: 60 }] },
    ],
    [
      "a property that returns to its default",
      step("update", "agentToServerTest", "t", { id: "1", before: { ...vpn, port: 22 }, after: vpn }),
      { op: "update", changes: [{ property: "port", how: "changed", before: 22, after: 443 }] },
    ],
    [
      "a create-only property",
      step("replace", "httpServerTest", "t", {
        id: "1",
        before: { ...portal, username: "a", authType: "basic" },
        after: portal,
      }),
      {
        op: "replace",
        changes: [
          { property: "authType", how: "changed", before: "basic", after: "none", replaces: true },
          { property: "username", how: "removed", before: "a", replaces: true },
        ],
      },
    ],
    [
      "a secret that the engine names as a replacement reason",
      step("replace", "httpServerTest", "t", { id: "1", before: secret, after: secret, reasons: ["password"] }),
      { op: "replace", changes: [{ property: "password", how: "changed", secret: true, replaces: true }] },
    ],
    [
      "an update with an unchanged create-only secret",
      step("update", "httpServerTest", "t", { id: "1", before: secret, after: { ...secret, interval: 300 } }),
      { op: "update", changes: [{ property: "interval", how: "changed", before: 60, after: 300 }], hidden: [] },
    ],
    [
      "two secrets if one has changed",
      step("update", "httpServerTest", "t", {
        id: "1",
        before: { ...secret, url: "[secret]", testName: "[secret]" },
        after: { ...secret, url: "[secret]", testName: "[secret]" },
      }),
      { changes: [], hidden: ["testName", "url"] },
    ],
    [
      "a value that was secret and is not any more may be the same",
      step("update", "httpServerTest", "t", { id: "1", before: { ...portal, url: "[secret]" }, after: portal }),
      { changes: [], hidden: ["url"] },
    ],
    [
      "a nested secret next to a visible change",
      step("update", "label", "l", {
        id: "1",
        before: { ...label, filters: [{ key: "ssid", values: ["[secret]"] }] },
        after: { ...label, matchType: "and", filters: [{ key: "hostname", values: ["[secret]"] }] },
      }),
      {
        op: "update",
        changes: [
          { property: "matchType", how: "changed", before: "or", after: "and" },
          { property: "filters", how: "changed", secret: true },
        ],
        hidden: [],
      },
    ],
    [
      "an imported test with its first declared password",
      step("update", "httpServerTest", "t", {
        id: "1",
        before: { ...portal, authType: "basic", username: "probe" },
        outputs: { unknownFields: ["password"] },
        after: { ...portal, authType: "basic", username: "probe", password: "[secret]" },
      }),
      { op: "update", changes: [{ property: "password", how: "added", secret: true, recordsOnly: true }] },
    ],
    [
      "a value that is unknown until the update",
      step("update", "agentToServerTest", "t", { id: "1", before: vpn, after: { ...vpn, server: unknownValue } }),
      { op: "update", changes: [{ property: "server", how: "changed", before: "vpn.example.com", unknown: true }] },
    ],
    [
      "a create, without the default values",
      step("create", "agentToServerTest", "t", { after: { ...vpn, interval: 60, maxMachines: 25, port: 22 } }),
      {
        op: "create",
        changes: [
          { property: "testName", how: "added", after: "VPN" },
          { property: "server", how: "added", after: "vpn.example.com" },
          { property: "port", how: "added", after: 22 },
        ],
      },
    ],
  ])("the review shows the operation and the changes to %s", (_, engineStep, expected) => {
    expect(verdict(engineStep)).toMatchObject(expected);
    expect(verdict(engineStep).disagreement).toBeUndefined();
  });

  test.each<[string, EngineStep, string]>([
    ["update", step("update", "agentToServerTest", "t", { id: "1", before: vpn, after: vpn }), "same"],
    ["same", step("same", "agentToServerTest", "t", { id: "1", before: vpn, after: { ...vpn, port: 1 } }), "update"],
    [
      "update",
      step("update", "agentToServerTest", "t", { id: "1", before: vpn, after: { ...vpn, maxMachines: 1 } }),
      "replace",
    ],
    [
      "replace",
      step("replace", "agentToServerTest", "t", { id: "1", before: vpn, after: { ...vpn, port: 1 }, reasons: ["port"] }),
      "update",
    ],
  ])("the review requests a bug report if the engine unexpectedly plans %s", (op, engineStep, ours) => {
    expect(verdict(engineStep).disagreement).toBe(ours);
    const markdown = toMarkdown(offline([engineStep]));
    expect(markdown).toContain(
      `> - The engine plans the operation ${op} for agent-to-server test \`t\`, but this tool expects ${ours}.`,
    );
    expect(markdown).toContain("report the difference as a bug");
  });

  test.each<[string, Made, string[]]>([
    ["--replace", {}, ["id"]],
    ["pulumi state taint", { rest: { taint: true } }, ["id"]],
  ])("the review requests no bug report if the user caused the replacement with %s", (_, made, reasons) => {
    const replacement = step("replace", "agentToServerTest", "t", { id: "1", before: vpn, after: vpn, reasons, ...made });
    expect(verdict(replacement).disagreement).toBeUndefined();
    const { review, findings } = offline([replacement]);
    expect(review.resources[0]).toMatchObject({ op: "replace", replaces: [], asked: true });
    expect(findings.map(({ rule }) => rule)).toEqual(["replacements"]);
    expect(review.findings[0]?.text).toContain("is replaced on request: the test gets a new id");
  });

  test("the review links an unknown id to a new resource only if the types match", () => {
    const idsOf = (kindName: KindName): unknown => {
      const source = step("create", kindName, "new", { after: kindName === "label" ? label : vpn });
      const byNew = { agentSelectorType: "agent-labels", endpointAgentLabels: [unknownValue] };
      const dependencies = { endpointAgentLabels: [[kindName, "new"]] as [KindName, string][] };
      const test = step("create", "agentToServerTest", "t", { after: { ...vpn, ...byNew }, dependencies });
      const { own } = operationOf(readPreview(previewText([source, test]), "test"));
      return own.filter(({ name }) => name === "t").flatMap((planned) => unknownIn(planned, stepsByUrn(own)))[0]?.idsOf;
    };
    expect([idsOf("label"), idsOf("agentToServerTest")]).toEqual([[urnOf("label", "new")], undefined]);
  });

  test("the review lists a provider among the resource options only if the program sets it", () => {
    const of = (name: string) => `urn:pulumi:dev::test::pulumi:providers:pulumi-nodejs::${name}`;
    const optionsBy = (name: string) => optionsOf({ urn: "u", type: "t", provider: `${of(name)}::0a1b` });
    expect(["default", "default_1_2_3", "defaults", "east"].map(optionsBy)).toEqual([
      {},
      {},
      { provider: of("defaults") },
      { provider: of("east") },
    ]);
  });

  test("the review ignores a resource that the program only reads", () => {
    const made = { id: "1", before: vpn, after: { ...vpn, port: 1 } };
    const { oldState, newState, ...one } = step("update", "agentToServerTest", "t", made);
    const reads = [
      { ...one, oldState: { ...oldState, external: true }, newState },
      { ...one, oldState, newState: { ...newState, external: true } },
    ];
    for (const readStep of reads) expect(offline([readStep as EngineStep]).review.resources).toEqual([]);
    expect(offline([{ ...one, oldState, newState }]).review.resources).toHaveLength(1);
  });

  test("the review reports that a secret may change if the last update is unfinished", () => {
    const before = { ...portal, url: "[secret]" };
    const update = step("update", "httpServerTest", "t", { id: "1", before, after: before, rest: { initErrors: ["no"] } });
    expect(verdict(update)).toMatchObject({ changes: [], hidden: ["url"] });
    expect(verdict(update).disagreement).toBeUndefined();
    expect(offline([update]).findings.map(({ rule }) => rule)).toEqual(["secrets"]);
    expect(toMarkdown(offline([update]))).toContain("its last update did not finish");
    expect(verdict(update, [])).toEqual({ op: "same", changes: [], hidden: [] });
  });

  describe("a preview together with an update plan", () => {
    const before = { ...secret, url: "[secret]", testName: "[secret]" };
    const url = { property: "url", how: "changed", secret: true };

    test("the review distinguishes a changed secret from an unchanged secret", () => {
      const update = step("update", "httpServerTest", "t", { id: "1", before, after: { ...before, interval: 300 } });
      const interval = { property: "interval", how: "changed", before: 60, after: 300 };
      expect(verdict(update, ["interval", "url"])).toMatchObject({ op: "update", changes: [interval, url], hidden: [] });
      expect(verdict(update, ["interval"])).toMatchObject({ op: "update", changes: [interval], hidden: [] });
      expect(verdict(update)).toMatchObject({ op: "update", changes: [interval], hidden: ["testName", "url"] });
    });

    test("the review shows a changed create-only property only if the engine names it as a reason", () => {
      const after = { ...before, interval: 300 };
      const update = step("update", "httpServerTest", "t", { id: "1", before, after });
      const { changes, disagreement } = verdict(update, ["interval", "password"]);
      expect([changes.map(({ property }) => property), disagreement]).toEqual([["interval"], undefined]);
      const replace = step("replace", "httpServerTest", "t", { id: "1", before, after, reasons: ["password"] });
      expect(verdict(replace, ["interval", "password", "url"])).toMatchObject({
        op: "replace",
        changes: [{ property: "interval" }, { property: "password", replaces: true }, url],
      });
    });

    test("the review ignores the plan's changed inputs if the engine's step is `same`", () => {
      const unchanged = step("same", "httpServerTest", "t", { id: "1", before, after: before });
      expect(verdict(unchanged, ["url"])).toEqual({ op: "same", changes: [], hidden: [] });
    });
  });

  test("the review reports that a hidden secret may change if the update plan is missing", () => {
    const before = { ...portal, url: "[secret]" };
    const replacement = step("replace", "httpServerTest", "t", {
      id: "1",
      before,
      after: { ...before, httpTimeLimit: 4000 },
      reasons: ["httpTimeLimit"],
    });
    const { review, findings } = offline([replacement]);
    expect(findings.map(({ rule }) => rule)).toEqual(["replacements", "secrets"]);
    expect(review.findings[1]?.text).toContain("may change, but the preview hides the values");
  });
});

describe("a review that does not read the service", () => {
  const words = (...steps: EngineStep[]) => offline(steps).findings.map(({ rule }) => rule);
  const kept = { id: "1", before: vpn, protect: true };
  const foreign = (op: string, type: string, rest: Partial<EngineResource> = {}): EngineStep => {
    const urn = `urn:pulumi:dev::test::${type}::x`;
    const state = { urn, type, custom: true, ...rest };
    return { op, urn, ...(op === "delete" ? { oldState: state } : { newState: state }) };
  };

  test("the review reports deletions and replacements of protected resources", () => {
    expect(words(step("delete", "agentToServerTest", "t", kept))).toEqual(["protected", "deletes"]);
    const replacement = { ...kept, after: { ...vpn, maxMachines: 1 }, reasons: ["maxMachines"] };
    expect(words(step("replace", "agentToServerTest", "t", replacement))).toEqual(["protected", "replacements"]);
    expect(words(step("replace", "agentToServerTest", "t", { ...replacement, protectNow: false }))).toEqual([
      "replacements",
      "options",
    ]);
    expect(words(step("update", "agentToServerTest", "t", { ...kept, after: { ...vpn, port: 1 } }))).toEqual([]);
  });

  test("the review does not report the replacement of a test run", () => {
    expect(words(step("replace", "testRun", "t", { id: "1", before: { testId: "1" }, after: { testId: "2" } }))).toEqual([]);
  });

  test("the review reports that tests with a replaced label are also replaced and lose their result history", () => {
    const steps = [
      step("replace", "label", "office", { id: "1", before: label, after: { ...label, accountGroupId: "1002" } }),
      step("replace", "agentToServerTest", "vpn", {
        id: "2",
        before: { ...vpn, ...by("1") },
        after: { ...vpn, ...by(unknownValue) },
        dependencies: { endpointAgentLabels: [["label", "office"]] },
      }),
    ];
    const { review } = offline(steps);
    expect(review.findings.map(({ text }) => text)).toEqual([
      'label "office" is replaced because of accountGroupId: the label gets a new id, and resources that refer to it are also replaced',
      'agent-to-server test "vpn" is replaced because of endpointAgentLabels ("office" gets a new id): ' +
        "the test gets a new id and its result history is lost",
    ]);
    expect(review.summary).toMatchObject({ replaced: 2, findings: 2 });
    expect(review.summary).not.toHaveProperty("agents");
    expect(review).not.toHaveProperty("load");
  });

  test("the review counts resources of other providers", () => {
    const { review, warnings } = offline([
      foreign("create", "random:index:RandomString"),
      foreign("create", "pulumi-nodejs:dynamic/random:OfTheProgram"),
      foreign("create", "pulumi:providers:random"),
      foreign("same", "random:index:RandomString"),
      foreign("read", "random:index:RandomString"),
    ]);
    expect(review.summary).toMatchObject({ created: 0, others: { created: 2, updated: 0, replaced: 0, deleted: 0 } });
    expect(warnings).toEqual([]);
    expect(toMarkdown(offline([foreign("create", "random:index:RandomString")]))).toContain(
      "### Endpoint monitoring, stack `dev`: nothing changes (and of other providers 1 created)",
    );
  });

  test("the review does not count components as resources of other providers", () => {
    const steps = ["create", "update", "delete", "same"].map((op) => foreign(op, "my:component:Thing", { custom: false }));
    const { review, warnings } = offline(steps);
    expect(review.summary.others).toEqual({ created: 0, updated: 0, replaced: 0, deleted: 0, forgotten: 0 });
    expect([review.resources, warnings]).toEqual([[], []]);
    expect(toMarkdown(offline(steps))).toContain("### Endpoint monitoring, stack `dev`: nothing changes\n");
  });

  test("the review warns about an unknown resource type of this package", () => {
    const later = "pulumi-nodejs:dynamic/endpoint-monitoring:OfALaterVersion";
    const { review, warnings } = offline([foreign("create", later), foreign("same", later)]);
    expect(review.summary.others.created).toBe(0);
    expect(warnings.map((warning) => phraseText(warning))).toEqual([
      'This version does not support the resource type of 1 changed resource, so the review omits their details: "x". ' +
        "Update pulumi-endpoint-monitoring on the machine that runs this command",
    ]);
  });

  test("the review does not depend on the order of the planned steps", () => {
    const steps = [
      ...["b", "a", "c"].map((name) => step("create", "label", name, { after: { ...label, name } })),
      step("delete", "agentToServerTest", "t", { id: "1", before: vpn }),
      step("update", "httpServerTest", "h", { id: "2", before: portal, after: { ...portal, interval: 300 } }),
    ];
    const expected = JSON.stringify(offline(steps).review);
    fc.assert(
      fc.property(fc.shuffledSubarray(steps, { minLength: steps.length }), (shuffled) => {
        expect(JSON.stringify(offline(shuffled).review)).toBe(expected);
      }),
      { numRuns: amount(8, 20), seed: seed(1) },
    );
    expect(offline(steps).review.resources.map(({ name }) => name)).toEqual(["t", "h", "a", "b", "c"]);
  });

  test("the review of 300 resources fits into a comment", () => {
    const many = Array.from({ length: 300 }, (_, n) => {
      const filters = Array.from({ length: 10 }, (__, i) => ({
        key: "hostname",
        values: [`host-${n}-${i}-${"x".repeat(50)}`],
      }));
      const name = `label \`${n}\` ${"|<b>".repeat(10)}`;
      if (n % 3 === 0) return step("delete", "label", name, { id: String(n), before: { ...label, name } });
      return step("update", "label", name, { id: String(n), before: { ...label, name }, after: { ...label, name, filters } });
    });
    const analysis = offline(many);
    const markdown = toMarkdown(analysis);
    expect(markdown.length).toBeLessThanOrEqual(60_000);
    expect(markdown.length).toBeGreaterThan(40_000);
    expect(markdown).toMatch(/^### Endpoint monitoring, stack `dev`: 200 updated, 100 deleted\n/);
    // Deletes come before updates. Each part counts its omitted items.
    expect(markdown.match(/^- … and [\d,]+ more findings: deletes \([\d,]+\)$/gm)).toHaveLength(1);
    expect(markdown).toMatch(/^… and [\d,]+ more resources: .*updated \([\d,]+\)\.$/m);
    // The findings, two groups, and all properties of all resources.
    expect(markdown.match(/<details>/g)).toHaveLength(4);
    expect(markdown.match(/<\/details>/g)).toHaveLength(4);
    expect(markdown.match(/^```/gm)?.length ?? 0).toBe((markdown.match(/^```diff/gm)?.length ?? 0) * 2);
    // A third of the resources is still too long for each part.
    const fewer = offline(many.slice(0, 100));
    for (const limit of [500, 2_000, 10_000]) {
      const { length } = toMarkdown(fewer, limit);
      expect(length).toBeLessThanOrEqual(limit);
      expect(length).toBeGreaterThan(limit / 4);
    }
  });

  test("the review escapes all external text in Markdown", () => {
    const text = fc.string({
      minLength: 1,
      maxLength: 40,
      unit: fc.constantFrom(...Array.from("`|\\<>&*_[]()#@!~$-+.:/ \n\r\tab1😀\u202e\u001b")),
    });
    fc.assert(
      fc.property(text, text, (name, value) => {
        const update = step("update", "label", name, {
          id: "1",
          before: { ...label, name: value },
          after: { ...label, color: "#000000" },
        });
        const markdown = toMarkdown(offline([update]));
        expect(markdown).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
        const outside = markdown.replace(/^(`{3,})diff\n[^]*?\n\1$/m, "").replace(/`[^`\n]*`/g, "");
        // The remaining HTML is the report's own.
        expect(outside.replace(/<\/?(code|sub)>/g, "")).not.toMatch(/[<>@]/);
        // A table row splits at its bars first, also within backticks.
        const rows = markdown.split("\n").filter((line) => line.startsWith("| updated"));
        expect(rows.map((row) => row.split("|").length)).toEqual([5]);
      }),
      { numRuns: amount(80, 300), seed: seed(1) },
    );
  });
});

describe("a review that reads the service", () => {
  const emulator = useEmulator({ agents: 60 });
  beforeEach(async () => {
    emulator.reset();
    await emulator.call("DELETE", `/v7/endpoint/agents/${thisMachineId}?aid=1001`);
  });

  const make = (path: string, body: object): Promise<string> => emulator.create(path, body);
  const review = (...steps: EngineStep[]) => reviewed(emulator.url, steps);
  const words = async (...steps: EngineStep[]) => (await review(...steps)).findings.map(({ rule }) => rule);
  const texts = async (...steps: EngineStep[]) => (await review(...steps)).review.findings.map(({ text }) => text);
  interface FleetAgent {
    id: string;
    name: string;
    platform: string;
    licenseType: string;
    status: string;
  }
  const fleet = async (): Promise<FleetAgent[]> => {
    const { agents } = await emulator.call("GET", "/v7/endpoint/agents?aid=1001&max=1000");
    return agents as FleetAgent[];
  };
  const enabled = async () => (await fleet()).filter(({ status }) => status === "enabled");

  test("the review reports the finding selects-none only if the selection changes", async () => {
    const id = await make(paths.label, label);
    await make(paths.agentToServer, { ...vpn, ...by(id) });
    const from = { id, before: label };
    const updated = (after: object) => step("update", "label", "l", { ...from, after: { ...label, ...after } });
    expect(await words(updated({ color: "#000000" }))).toEqual([]);
    expect(await texts(updated(nobody))).toEqual([
      'label "l" selects no agent',
      'agent-to-server test "VPN", which is unchanged, selects no agent',
    ]);
    const [there, able] = [(await fleet()).length, (await enabled()).length];
    expect(there).toBeGreaterThan(able);
    expect(await texts(updated(everybody))).toEqual([
      `label "l" selects every agent that is enabled (${able} agents)`,
      `agent-to-server test "VPN", which is unchanged, selects every agent that is enabled (${able} agents)`,
    ]);
    await emulator.call("PATCH", `${paths.label}/${id}?aid=1001`, everybody);
    // The label selected no agent before, so this is not news.
    const recolored = { ...everybody, color: "#000000" };
    expect(await words(step("update", "label", "l", { id, before: everybody, after: recolored }))).toEqual([]);
    // The label still selects no agent, although a test changes.
    await emulator.call("PATCH", `${paths.label}/${id}?aid=1001`, nobody);
    expect(await words(step("update", "label", "l", { id, before: nobody, after: { ...nobody, color: "#000000" } }))).toEqual([
      "selects-none",
    ]);
  });

  test("the review reports the finding selects-none if only disabled agents match", async () => {
    const off = (await fleet()).find(({ status }) => status === "disabled");
    const id = await make(paths.label, label);
    const only = { ...label, filters: [{ key: "agent-id", values: [off?.id] }] };
    const test = { ...vpn, agentSelectorType: "specific-agents", agents: [off?.id] };
    expect(
      await texts(
        step("update", "label", "l", { id, before: label, after: only }),
        step("create", "agentToServerTest", "t", { after: test }),
      ),
    ).toEqual(
      ['agent-to-server test "t" selects no agent that is enabled', 'label "l" selects no agent that is enabled']
        .toSorted()
        .toReversed(),
    );
  });

  test("the review ignores the selection of a disabled test until an update enables it", async () => {
    const id = await make(paths.agentToServer, vpn);
    expect(await words(step("create", "agentToServerTest", "t", { after: { ...vpn, isEnabled: false } }))).toEqual([]);
    await emulator.call("PATCH", `${paths.agentToServer}/${id}?aid=1001`, { isEnabled: false });
    expect(
      await texts(step("update", "agentToServerTest", "t", { id, before: { ...vpn, isEnabled: false }, after: vpn })),
    ).toEqual([`agent-to-server test "t" selects every agent that is enabled (${(await enabled()).length} agents)`]);
  });

  test("the review reports a deleted label that other tests still use", async () => {
    const id = await make(paths.label, label);
    const [mine, others] = [
      await make(paths.agentToServer, { ...vpn, ...by(id) }),
      await make(paths.dynamic, { testName: "Theirs", application: "webex", ...by(id) }),
    ];
    const gone = step("delete", "label", "office", { id, before: label });
    const test = step("delete", "agentToServerTest", "vpn", { id: mine, before: { ...vpn, ...by(id) } });
    const judged = await review(gone, test);
    expect(judged.review.findings.filter(({ rule }) => rule === "label-in-use").map(({ text }) => text)).toEqual([
      'label "office" is deleted, but unchanged tests still use it to select agents: "Theirs"',
    ]);
    const windows = (await enabled()).filter(({ platform }) => platform === "windows").map(({ name }) => name);
    const reached = { count: windows.length, names: windows.toSorted().slice(0, 10) };
    expect(judged.review.resources.find(({ name }) => name === "office")?.touches).toEqual([
      { kind: "dynamicTest", name: "Theirs", id: others, before: reached, after: { count: 0, names: [] }, lost: reached },
      { kind: "agentToServerTest", name: "vpn", id: mine, urn: test.urn, before: reached },
    ]);
    expect(await words(step("delete", "label", "office", { id, before: label, rest: { retainOnDelete: true } }))).toEqual([]);
  });

  test("the review finds the agents of a test with an unknown label id", async () => {
    const windows = (await enabled()).filter(({ platform }) => platform === "windows").length;
    const labels = ["fresh", "other"].map((name) =>
      step("create", "label", name, { after: name === "fresh" ? label : nobody }),
    );
    const test = (ids: unknown, ...sources: string[]) =>
      step("create", "agentToServerTest", "t", {
        after: { ...vpn, agentSelectorType: "agent-labels", endpointAgentLabels: ids },
        dependencies: { endpointAgentLabels: sources.map((name) => ["label", name]) },
      });
    const unclear = test([unknownValue], "fresh", "other");
    const known = expect.objectContaining({ after: expect.objectContaining({ count: windows }) });
    const unknown = { unknown: "it depends on a value that is secret or known only after the update" };
    for (const [engineStep, expected] of [
      [test([unknownValue], "fresh"), known],
      [test([unknownValue, unknownValue], "fresh", "other"), known],
      [test(unknownValue, "fresh"), unknown],
      // It is unknown which of the two labels has the id.
      [unclear, unknown],
      [test([unknownValue]), unknown],
    ] as const) {
      const { resources } = (await review(...labels, engineStep)).review;
      expect(resources.find(({ name }) => name === "t")?.reach).toEqual(expected);
    }
    const { findings, load } = (await review(...labels, unclear)).review;
    expect(findings.map(({ text }) => text)).toContain(
      `agent-to-server test "t" selects an unknown set of agents: ${unknown.unknown}`,
    );
    expect(load?.notCounted).toBe(1);
  });

  test("the review counts an agent among a test's agents if the same update adopts the agent", async () => {
    const [agent] = await enabled();
    const agentStep = step("create", "endpointAgent", "desk", { after: { agentId: agent?.id } });
    const specific = { agentSelectorType: "specific-agents", agents: [unknownValue] };
    const test = step("create", "agentToServerTest", "t", {
      after: { ...vpn, ...specific },
      dependencies: { agents: [["endpointAgent", "desk"]] },
    });
    const {
      review: { resources },
    } = await review(agentStep, test);
    expect(resources.find(({ name }) => name === "t")?.reach?.after).toEqual({ count: 1, names: [agent?.name] });
  });

  test("the review reports that it cannot determine the agents of an unknown tag or filter", async () => {
    const reach = async (engineStep: EngineStep) => (await review(engineStep)).review.resources[0]?.reach;
    const tags = step("create", "agentToServerTest", "t", {
      after: { ...vpn, agentSelectorType: "agent-tags", tagIds: ["x"] },
    });
    const why = "a tag does not exist, or it has several tags and it is not known whether agents need all tags";
    expect(await reach(tags)).toEqual({ after: { count: 0, names: [], unclear: (await enabled()).length, why } });
    expect(await words(tags)).toEqual(["unknown-reach"]);
    const hidden = step("create", "label", "l", { after: { ...label, filters: [{ key: "ssid", values: ["[secret]"] }] } });
    expect(await reach(hidden)).toEqual({ unknown: "it depends on a value that is secret or known only after the update" });
    expect(await words(hidden)).toEqual(["unknown-reach"]);
    const later = step("create", "label", "l", { after: { ...label, filters: [{ key: "mood", values: ["good"] }] } });
    expect(await reach(later)).toEqual({ unknown: "it has a filter that this version does not know" });
  });

  test("the review shows the manual changes that an update resets", async () => {
    const id = await make(paths.agentToServer, { ...vpn, interval: 300 });
    const updated = (after: object) =>
      review(step("update", "agentToServerTest", "vpn", { id, before: vpn, after: { ...vpn, ...after } }));
    const renamed = await updated({ testName: "Gateway" });
    expect(renamed.changes.map(({ resets }) => resets)).toEqual([
      [{ property: "interval", how: "changed", before: 300, after: 60 }],
    ]);
    expect(toMarkdown(renamed)).toContain("also **resets** a manual change: `interval`: `300` → `60`");
    // The program changes the interval itself.
    const [slower] = (await updated({ interval: 900 })).changes;
    expect(slower?.resets).toEqual([]);
  });

  test("the review never shows a name from the service if the name is a secret", async () => {
    const id = await make(paths.label, label);
    const test = await make(paths.agentToServer, { ...vpn, testName: "hush-hush", ...by(id) });
    const agent = (await enabled()).find(({ platform }) => platform === "mac");
    await emulator.call("PATCH", `/v7/endpoint/agents/${agent?.id}?aid=1001`, { name: "whisper" });
    const named = { agentId: agent?.id, agentName: "[secret]" };
    const analysis = await review(
      step("update", "label", "l", { id, before: label, after: everybody }),
      step("same", "agentToServerTest", "vpn", {
        id: test,
        before: { ...vpn, testName: "[secret]", ...by(id) },
        after: { ...vpn, testName: "[secret]", ...by(id) },
      }),
      step("same", "endpointAgent", "desk", { id: agent?.id, before: named, after: named }),
    );
    const shown = JSON.stringify(analysis.review) + toMarkdown(analysis);
    expect(shown).not.toContain("hush-hush");
    expect(shown).not.toContain("whisper");
    expect(analysis.review.resources[0]?.touches).toMatchObject([{ name: "vpn" }]);

    // Names of ids in a list stay secret as well.
    const hidden = { ...label, name: "[secret]" };
    const replaced = await review(
      step("same", "label", "l", { id, before: hidden, after: hidden }),
      step("replace", "agentToServerTest", "vpn", {
        id: test,
        before: { ...vpn, ...by(id) },
        after: { ...vpn, ...by("other") },
        reasons: ["endpointAgentLabels"],
      }),
    );
    expect(toMarkdown(replaced)).toContain(`- endpointAgentLabels: ${id} (l)`);
    expect(toMarkdown(replaced)).not.toContain("Office");
    expect(
      analysis.names.list(
        (analysis.service.holdings.agents.get("1001") ?? []).filter(({ id: agentId }) => agentId === agent?.id),
      ).names,
    ).toEqual(["desk"]);
  });

  test("the review reports agents that a change disables, deletes or moves", async () => {
    for (let n = 0; n < 5; n += 1) await make(paths.agentToServer, { ...vpn, testName: `VPN ${n}` });
    const [a, b, c, d] = (await enabled()).filter(({ licenseType }) => licenseType === "advantage");
    const known = { licenseType: "advantage", enabled: true };
    const {
      review: { findings, load },
    } = await review(
      step("update", "endpointAgent", "a", {
        id: a?.id,
        before: { agentId: a?.id },
        outputs: known,
        after: { agentId: a?.id, enabled: false },
      }),
      step("delete", "endpointAgent", "b", { id: b?.id, before: { agentId: b?.id, onDestroy: "delete" } }),
      step("create", "agentTransfer", "c", { after: { transfers: [{ agentId: c?.id, fromAid: "1001", toAid: "1002" }] } }),
      step("update", "endpointAgent", "d", {
        id: d?.id,
        before: { agentId: d?.id },
        outputs: known,
        after: { agentId: d?.id, licenseType: "essentials" },
      }),
    );
    expect(findings.map(({ rule, text }) => [rule, text])).toEqual([
      ["over-license", `1 agent would have more tests than their license can run: "${d?.name}" (5 of 4)`],
      ["agents-off", `1 agent disabled: "${a?.name}"`],
      [
        "agents-off",
        `2 agents deleted or moved to another account group: ${[b?.name ?? "", c?.name ?? ""]
          .toSorted()
          .map((name) => `"${name}"`)
          .join(", ")}`,
      ],
    ]);
    expect(load?.accountGroups).toEqual(["1001", "1002"]);
    // One agent is disabled and one is deleted. Both account groups together count the moved agent.
    expect((load?.before.agents ?? 0) - (load?.after.agents ?? 0)).toBe(2);
  });

  test("the review counts the measurement rounds of an agent with an unrecognized license type", async () => {
    const [agent] = await enabled();
    await emulator.call("PATCH", `/_emulator/records/agents/${agent?.id}`, { licenseType: "platinum" });
    const steps = Array.from({ length: 12 }, (_, n) =>
      step("create", "agentToServerTest", `t${n}`, {
        after: { ...vpn, testName: `t${n}`, agentSelectorType: "specific-agents", agents: [agent?.id] },
      }),
    );
    const {
      review: { load },
    } = await review(...steps);
    expect(load?.after).toMatchObject({ rounds: 720, roundsRun: 720, over: 0 });
  });
});
