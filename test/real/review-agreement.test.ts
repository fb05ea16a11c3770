/** Reviews random changes of each record type, and compares the predictions with the engine's steps. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { inputDiffsIn, readPreview } from "../../engine/preview";
import type { StackPreview } from "../../engine/preview-output";
import type { Review } from "../../plan/judge/review";
import { comparisonOf } from "../../plan/step-changes";
import { records, type RecordKindName } from "../../provider/registry";
import { validInputs } from "../provider/arbitrary";
import { amount, seed } from "../support/amount";
import { type Program, Stack } from "./support/stack";
import { operationOf } from "../../plan/steps";

type Values = Record<string, unknown>;
interface Case {
  kind: RecordKindName;
  before: Values;
  after: Values;
}

/** Stacks, and cases of each type in a stack. All changes to a stack are in one engine operation. */
const [stacks, each] = [amount(1, 4), 48];
const kinds = Object.keys(records) as RecordKindName[];
const labelNames = ["keeps-id", "recreated"];

/** Properties that are valid only together. */
const together = [
  ["agentSelectorType", "agents", "endpointAgentLabels", "tagIds"],
  ["authType", "username", "password"],
];

/** Returns inputs and a change of them: no property, a few, or all. An absent property returns to its default. */
function changeOf(kind: RecordKindName): fc.Arbitrary<Case> {
  const inputs = validInputs(kind, labelNames);
  const properties = Object.keys(records[kind].schema.shape).filter((property) => property !== "adopt");
  const groups = properties.map((property) => together.find((group) => group.includes(property)) ?? [property]);
  const picked = fc.oneof(
    fc.constant([]),
    fc.constant([]),
    fc.subarray(groups, { minLength: 1, maxLength: 2 }),
    fc.subarray(groups, { minLength: 1, maxLength: 2 }),
    fc.constant(groups),
  );
  const unknown = fc.option(fc.constantFrom(...properties.filter((property) => !together.flat().includes(property))), {
    freq: 6,
    nil: undefined,
  });
  return fc
    .record({ before: inputs, other: inputs, picked, unknown })
    .map(({ before, other, picked: chosen, unknown: hidden }) => {
      const after = { ...before, ...Object.fromEntries(chosen.flat().map((property) => [property, other[property]])) };
      // A value that is unknown until a new label exists.
      if (hidden !== undefined && after[hidden] !== undefined) after[hidden] = { $after: "fresh", value: after[hidden] };
      return { kind, before, after };
    });
}

/** Returns arguments as the test's program takes them: labels by name, and the case's own name. */
function args({ kind }: Case, values: Values, name: string): Values {
  const labels = values["endpointAgentLabels"];
  const named = Array.isArray(labels) ? { endpointAgentLabels: labels.map((label: string) => ({ $id: label })) } : {};
  // The provider rejects duplicates.
  const uniqueName = typeof values[records[kind].nameProperty] === "string" ? { [records[kind].nameProperty]: name } : {};
  return { ...values, ...named, ...uniqueName };
}

/** Secrets, which a preview masks on both sides. Secrets in the configuration may belong to any property. */
const rotated: Case[] = [
  [{ password: "first" }, { password: "second" }],
  [{ password: "first" }, { password: "first" }],
  [{ url: { $secret: "url" } }, { url: { $secret: "url-2" } }],
  [{ url: { $secret: "url" } }, { url: { $secret: "url" } }],
  [
    { url: { $secret: "url" }, password: "first" },
    { url: { $secret: "url-2" }, password: "second" },
  ],
  [
    { url: { $secret: "url" }, password: "first" },
    { url: { $secret: "url" }, interval: 300 },
  ],
  [{ url: { $secret: "url" } }, { url: "https://first.example.com" }],
  [{ url: { $secret: "url" } }, { url: "https://other.example.com" }],
].map(([before, after]) => {
  const rest = { testName: "", url: "https://portal.example.com", authType: "basic", username: "probe" };
  return { kind: "httpServerTest", before: { ...rest, ...before }, after: { ...rest, ...after } };
});

const sampled = fc.sample(fc.tuple(...kinds.map((kind) => fc.array(changeOf(kind), { minLength: each, maxLength: each }))), {
  numRuns: stacks,
  seed: seed(20260115),
});
const label = (name: string, accountGroupId = "1001"): Program[string] => ({
  kind: "Label",
  args: { name, matchType: "or", filters: [], accountGroupId },
});

const agreed: Record<string, number> = {};

test.each(sampled.map((cases, n) => [n + 1, [...cases.flat(), ...rotated]] as const))(
  "the review of stack %d predicts the engine's outcome for each case",
  async (_, cases) => {
    const stack = await Stack.startWith("native");
    stack.writeStateOnce();
    try {
      const program = (side: "before" | "after", labels: Program): Program => ({
        ...labels,
        ...Object.fromEntries(
          cases.map((reviewCase, n) => [
            `case-${n}`,
            { kind: records[reviewCase.kind].name, args: args(reviewCase, reviewCase[side], `case ${n}`) },
          ]),
        ),
      });
      await stack.secret("url", "https://first.example.com");
      await stack.secret("url-2", "https://second.example.com");
      stack.declare(program("before", { "keeps-id": label("a"), recreated: label("b") }));
      await stack.up();
      // One of the labels is recreated in another account group, and one is new.
      const after = { "keeps-id": label("a"), recreated: label("b", "1002"), fresh: label("c") };
      stack.declare(program("after", after));
      // One step at a time. Otherwise the engine sometimes records the replacement of a test that drops the recreated label
      // before it records the deletion, and rejects its own snapshot: "duplicate resource … (not marked for deletion)".
      const settings = ["--json", "--show-sames", "--parallel", "1"];
      const { stdout } = await stack.must("preview", ...settings, "--save-plan", "plan.json");
      const inputDiffs = inputDiffsIn(readFileSync(join(stack.folder, "plan.json"), "utf8"));

      const preview = readPreview(stdout, "the engine");
      const casesIn = (stackPreview: StackPreview) =>
        operationOf(stackPreview).own.filter(({ name }) => name.startsWith("case-"));
      const ours = casesIn(preview);
      // The engine names each of them exactly once, including unchanged ones.
      expect(ours.map(({ name }) => name).toSorted()).toEqual(cases.map((__, n) => `case-${n}`).toSorted());
      for (const step of ours) {
        const { op, changes, hidden } = comparisonOf(step);
        // Only the engine reveals a changed secret that updates in place.
        const verdict = op === "same" && hidden.length > 0 ? "update" : op;
        expect({ name: step.name, says: verdict, changes }).toEqual({ name: step.name, says: step.op, changes });
        // A test that is replaced with its label has no reasons.
        const forcing = changes.filter(({ replaces }) => replaces).map(({ property }) => property);
        const reasons = step.op === "replace" && step.reasons.length === 0 ? forcing : step.reasons;
        expect({ name: step.name, forcing: forcing.toSorted() }).toEqual({ name: step.name, forcing: reasons.toSorted() });
        agreed[step.op] = (agreed[step.op] ?? 0) + 1;
      }
      // The plan contains secrets, so the review does not depend on the engine.
      const informed = casesIn({ ...preview, inputDiffs }).map((step) => ({
        ...comparisonOf(step),
        name: step.name,
        engine: step.op,
      }));
      expect(informed.map(({ name, op, hidden }) => ({ name, op, hidden }))).toEqual(
        informed.map(({ name, engine }) => ({ name, op: engine, hidden: [] })),
      );
      const rotations = informed
        .filter(({ name }) => Number(name.slice("case-".length)) >= cases.length - rotated.length)
        .toSorted((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
      expect(rotations.map(({ op, changes }) => [op, ...changes.map(({ property }) => property)])).toEqual([
        ["replace", "password"],
        ["same"],
        ["update", "url"],
        ["same"],
        ["replace", "password", "url"],
        ["replace", "interval", "password"],
        ["same"],
        ["update", "url"],
      ]);

      // The command reports the same totals and no findings.
      const file = join(stack.folder, "preview.json");
      writeFileSync(file, stdout);
      const run = await stack.cli("review", "--preview", file, "--json", "--offline");
      const { data, warnings } = JSON.parse(run.stdout) as { data: Review; warnings?: string[] };
      expect(warnings).toBeUndefined();
      const steps = preview.steps.filter(({ urn, op }) => urn.includes("endpoint-monitoring:") && op !== "same");
      expect(data.resources.map(({ urn, op }) => `${op} ${urn}`).toSorted()).toEqual(
        steps.map(({ urn, op }) => `${op} ${urn}`).toSorted(),
      );
    } finally {
      await stack.end();
    }
  },
);

test("the tested stacks contain at least 25 unchanged, 25 updated and 25 replaced resources", () => {
  const total = Object.values(agreed).reduce((sum, count) => sum + count, 0);
  expect(total).toBe(stacks * (each * kinds.length + rotated.length));
  expect(total).toBeGreaterThanOrEqual(200);
  for (const op of ["same", "update", "replace"]) expect([op, (agreed[op] ?? 0) >= 25]).toEqual([op, true]);
});
