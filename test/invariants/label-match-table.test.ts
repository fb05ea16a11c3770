/**
 * Tests the meaning of a label's filters, case by case. The cases come from the facts (docs/service/labels.md, Filters),
 * not from the code, because review and emulator share that code. Each case names exactly the agents with the label. The
 * facts contain the `stated` cases. The `inferred` cases are our assumptions.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { agentsMatching, compileLabel, factsOf, type LabeledAgent, type LabelRule } from "../../api/label-match";
import { filterKeys } from "../../api/schemas";

interface Table {
  agents: Record<string, LabeledAgent>;
  rows: { source: "stated" | "inferred"; fact: string; label: LabelRule; on: string[] }[];
}

const { agents, rows } = JSON.parse(readFileSync(join(__dirname, "../fixtures/label-match.json"), "utf8")) as Table;

test.each(rows.map((row) => [row.fact, row] as const))("%s", (_, { label, on }) => {
  const isOn = compileLabel(label);
  const matching = Object.entries(agents).filter(([, agent]) => isOn(factsOf(agent)));
  expect(matching.map(([name]) => name)).toEqual(Object.keys(agents).filter((name) => on.includes(name)));
  expect(agentsMatching(label, Object.values(agents))).toEqual(matching.map(([, agent]) => agent));
});

test("the fixture has a matching and a non-matching agent for each filter key and mode", () => {
  const single = rows.filter(({ label }) => label.filters?.length === 1);
  for (const key of filterKeys) {
    for (const mode of ["in", "not-in"]) {
      const ofMode = single.filter(({ label }) => label.filters?.[0]?.key === key && label.filters[0].mode === mode);
      const tells = ofMode.filter(({ on }) => on.length > 0 && on.length < Object.keys(agents).length);
      expect([key, mode, tells.length > 0]).toEqual([key, mode, true]);
    }
  }
  expect(Object.keys(agents)).toEqual(expect.arrayContaining(rows.flatMap(({ on }) => on)));
  expect(rows.length).toBeGreaterThanOrEqual(120);
  expect(new Set(rows.map(({ fact }) => fact)).size).toBe(rows.length);
});
