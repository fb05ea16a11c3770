/**
 * Tests the policies as a pack calls them, with a stand-in for the engine. test/real/examples.test.ts runs a pack on the
 * engine.
 */
import * as pulumi from "@pulumi/pulumi";
import { checkNames } from "../../plan/judge/checks";
import { type PolicyResource, reviewPolicies, type ReviewPolicyOptions } from "../../policy";
import { typeToken } from "../../sdk/token";
import { answers, EngineStub } from "../support/engine-stub";
import { temporary } from "../support/temporary";

class UnknownValueError extends Error {}

/** A label with a color that is unknown at preview. */
const label: PolicyResource = {
  type: typeToken("Label"),
  urn: `urn:pulumi:dev::fleet::${typeToken("Label")}::office`,
  props: {
    name: "Office",
    matchType: "or",
    filters: [{ key: "platform", values: ["Mac"] }],
    get color(): unknown {
      throw new UnknownValueError();
    },
  },
  opts: { protect: false, ignoreChanges: [], aliases: [], additionalSecretOutputs: [] },
  propertyDependencies: {},
};

describe("policies in a pack", () => {
  let folder: string;
  beforeAll(async () => {
    folder = temporary();
    const stub = new EngineStub(folder, answers({ "stack export": { version: 3, deployment: { resources: [] } } }));
    jest.replaceProperty(process, "env", stub.env());
    const mocks = { newResource: ({ name }: pulumi.runtime.MockResourceArgs) => ({ id: name, state: {} }), call: () => ({}) };
    await pulumi.runtime.setMocks(mocks, "fleet", "dev", true, "acme");
  });

  async function reportsOf(options: ReviewPolicyOptions): Promise<Record<string, string[]>> {
    const reports: Record<string, string[]> = {};
    for (const policy of reviewPolicies({ ...options, folder })) {
      const violations: string[] = [];
      await policy.validateStack({ resources: [label] }, (message) => violations.push(message));
      if (violations.length > 0) reports[policy.name] = violations;
    }
    return reports;
  }

  it("the description of each policy begins with the change that the policy reports", () => {
    const described = reviewPolicies().map(({ name, description }) => [name, description]);
    // When a policy sees a resource, requests have already gone to the base URL. A policy knows only the state of its own
    // stack.
    const words = checkNames.filter((word) => !["address", "adopts-foreign"].includes(word));
    expect(described.map(([name]) => name)).toEqual(words);
    expect(Object.fromEntries(described)).toMatchObject({
      deletes: "Reports that a label or test is deleted",
      "selects-none": "Reports that a label or test selects no enabled agent afterwards",
    });
  });

  it("a policy reports an unknown property unless allowUnknown lists the property", async () => {
    const reported = await reportsOf({});
    expect(reported["unknown-value"]).toEqual([expect.stringContaining("color is known only during the update")]);
    const allowed = await reportsOf({ allowUnknown: ["office.color"] });
    expect(allowed).toEqual({ ...reported, "unknown-value": undefined });
  });

  it("a policy reports that it cannot check its rule without the service", async () => {
    const { "selects-none": [report] = [] } = await reportsOf({});
    expect(report).toMatch(/^This rule could not be checked: /);
  });
});
