import { operationOf } from "../../plan/steps";
import { readPreview } from "../../engine/preview";
import { worldsOf } from "../../plan/worlds";
import { previewText, step } from "../cli/review-support";

const declared = { testName: "Gate", server: "www.example.com", agentSelectorType: "all-agents" };

test.each([
  [false, ["1"]],
  [true, []],
])(
  "the review adds tests from the state only if the list of tests is incomplete (complete: %s, added: %j)",
  (isComplete, expected) => {
    const made = { id: "1", before: declared, after: { ...declared, interval: 300 } };
    const { own } = operationOf(readPreview(previewText([step("update", "agentToServerTest", "gate", made)]), "test"));
    const { before } = worldsOf(own, { agents: new Map(), records: [], missing: [], isComplete }, "1001");
    expect([...before.tests.keys()]).toEqual(expected);
  },
);
