import { phraseText } from "../../../../common/phrase";
import { summarySentences } from "../../../../cli/commands/review/sentences";
import type { EngineStep } from "../../../../engine/preview-output";
import { offline, step } from "../../review-support";

const sentences = (steps: readonly EngineStep[]): string[] =>
  summarySentences(offline(steps)).map((sentence) => phraseText(sentence));
const portal = { testName: "Portal", url: "https://portal.example.com" };
const office = { name: "Office", matchType: "or", filters: [{ key: "platform", values: ["Mac"], mode: "in" }] };

test("`review` shows a type change if a deleted and a created resource have the same name", () => {
  const shown = sentences([
    step("delete", "httpServerTest", "portal", { id: "1", before: portal }),
    step("create", "agentToServerTest", "portal", { after: { testName: "Portal", server: "portal.example.com" } }),
  ]);
  expect(shown[0]).toBe("Changes the type of 1 HTTP server test (portal): the old one is deleted.");
  expect(shown.join(" ")).not.toMatch(/Deletes|Creates/);
});

test("`review` lists a deletion and a creation with the same name and type separately", () => {
  const created = step("create", "httpServerTest", "portal", { after: { testName: "VPN", url: "https://vpn.example.com" } });
  const urn = created.urn.replace("test::", "test::my:app:Application$");
  const shown = sentences([
    step("delete", "httpServerTest", "portal", { id: "1", before: portal }),
    { ...created, urn, ...(created.newState && { newState: { ...created.newState, urn } }) },
  ]);
  expect(shown).toEqual([
    "Deletes 1 HTTP server test (portal).",
    "1 test loses its result history.",
    "Creates 1 HTTP server test (portal).",
  ]);
});

test("`review` lists a test below a label only if the test refers to the label", () => {
  const wider = { ...office, filters: [{ key: "platform", values: ["Mac", "Windows"], mode: "in" }] };
  const selecting = { ...portal, agentSelectorType: "agent-labels", endpointAgentLabels: ["10"] };
  const of = (property: string, inputs: object): string =>
    sentences([
      step("update", "label", "office", { id: "10", before: office, after: wider }),
      step("same", "httpServerTest", "portal", {
        id: "1",
        before: { ...portal, ...inputs },
        after: { ...portal, ...inputs },
        dependencies: { [property]: [["label", "office"]] },
      }),
    ]).join(" ");
  expect(of("endpointAgentLabels", selecting)).toContain("1 test selects agents by it (portal).");
  expect(of("description", { description: "Office" })).not.toContain("agents by it");
});
