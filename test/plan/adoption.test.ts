/** Reviews creates that adopt an existing record. Such creates neither create nor delete a record. */
import { type Properties, unknownValue } from "../../provider/values";
import { typeToken } from "../../sdk/token";
import { paths } from "../emulator/support";
import { useEmulator } from "../support/emulator";
import { offline, previewText, reviewed, step, toMarkdown, toTerminal, urnOf } from "../cli/review-support";
import { readPreview } from "../../engine/preview";
import type { EngineStep } from "../../engine/preview-output";
import type { EngineResource, ManagedResource } from "../../engine/state";
import { operationOf } from "../../plan/steps";

const label = { name: "Office", matchType: "or", filters: [{ key: "platform", values: ["Windows"] }] };
const vpn = { testName: "VPN", server: "vpn.example.com", maxMachines: 1000 };
const by = (...endpointAgentLabels: string[]) => ({ agentSelectorType: "agent-labels", endpointAgentLabels });
const identical = { "endpoint-monitoring:adopt": "identical" };
const adopt = true;

const emulator = useEmulator({ agents: 30 });
beforeEach(() => emulator.reset());

const make = (path: string, body: object, aid?: string): Promise<string> => emulator.create(path, body, aid);
const review = async (steps: EngineStep[], config?: object) => (await reviewed(emulator.url, steps, config)).review;
const numbers = { created: 0, updated: 0, replaced: 0, deleted: 0, forgotten: 0, adopted: 0 };
/** A step as the engine prints it for a resource in a component. */
const within = (planned: EngineStep): EngineStep => {
  const token = typeToken("Label");
  const urn = planned.urn.replace(token, `my:component:Site$${token}`);
  const newState: EngineResource | undefined = planned.newState && { ...planned.newState, urn };
  return { ...planned, urn, newState };
};

test("the review names the stack that already manages an adopted record", async () => {
  const id = await make(paths.agentToServer, vpn);
  const steps = [step("create", "agentToServerTest", "new", { after: { ...vpn, adopt } })];
  const [managed] = operationOf(
    readPreview(previewText([step("same", "agentToServerTest", "vpn", { id, before: vpn, after: vpn })]), "test"),
  ).own;
  if (!managed?.state) throw new Error("the step has no state");
  const of = (other: ManagedResource) => reviewed(emulator.url, steps, undefined, [other]);
  const judged = await of({ ...managed.state, stack: "prod" });
  expect(judged.review.findings).toEqual([
    expect.objectContaining({ rule: "adopts-foreign", text: expect.stringContaining(`that stack prod manages (id ${id})`) }),
  ]);
  const markdown = toMarkdown(judged);
  expect(markdown).toContain(`**adopts** a record that stack \`prod\` manages (id \`${id}\`)`);
  expect(markdown).toContain("Destroying either stack deletes the record");
  expect(toMarkdown(await of({ ...managed.state, stack: "prod", id: "1" }))).toContain("**adopts** the existing record");
});

test("the review shows that an adopted agent stays although the old resource has onDestroy: delete", async () => {
  const { agents } = (await emulator.call("GET", "/v7/endpoint/agents?aid=1001")) as { agents: { id: string }[] };
  const id = agents[1]?.id ?? "";
  const gone = step("delete", "endpointAgent", "old", { id, before: { agentId: id, onDestroy: "delete" } });
  const outcome = async (steps: EngineStep[]) =>
    (await review(steps)).resources.find(({ op }) => op === "delete")?.forgotten ?? "deleted";
  expect(await outcome([gone])).toBe("deleted");
  expect(await outcome([gone, step("create", "endpointAgent", "new", { after: { agentId: id } })])).toBe(
    "the agent stays in the service",
  );
});

test("a forced replacement with adopt: true keeps its record only in the order create-first", async () => {
  const id = await make(paths.agentToServer, vpn);
  const first = { "endpoint-monitoring:replaceOrder": "create-first" };
  const opsOf = async (after: object, order: string[], config?: object): Promise<unknown[]> => {
    const replacement = step("replace", "agentToServerTest", "a", {
      id,
      before: vpn,
      after: { ...vpn, ...after },
      reasons: ["id"],
    });
    const result = await review(
      order.map((op): EngineStep => ({ ...replacement, op })),
      config,
    );
    return result.resources.map(({ op, asked = false, creation }) => [
      op,
      asked,
      ...(creation ? [creation.how, creation.ids] : []),
    ]);
  };
  const createsFirst = ["create-replacement", "replace", "delete-replaced"];
  const kept = [["update", false]];
  const replaced = [["replace", true]];
  expect(await opsOf({ adopt }, createsFirst)).toEqual(kept);
  expect(await opsOf({ adopt }, createsFirst.toReversed(), first)).toEqual(replaced);
  // If the preview does not show the order, the setting decides.
  expect(await opsOf({ adopt }, ["replace"], first)).toEqual(kept);
  expect(await opsOf({ adopt }, ["replace"])).toEqual(replaced);
  expect(await opsOf({}, ["replace"], identical)).toEqual(replaced);
  expect(await opsOf({}, createsFirst)).toEqual([["replace", true, "identical", [id]]]);
  expect(await opsOf({}, ["replace"], { ...identical, ...first })).toEqual(kept);
});

describe("a rename with adopt: true", () => {
  test("the review shows an adoption without findings", async () => {
    const id = await make(paths.agentToServer, vpn);
    const steps = [
      step("delete", "agentToServerTest", "old", { id, before: vpn }),
      step("create", "agentToServerTest", "new", { after: { ...vpn, adopt } }),
    ];
    for (const result of [await review(steps), offline(steps).review]) {
      expect(result.summary).toMatchObject({ ...numbers, adopted: 1, findings: 0 });
      expect(result.findings).toEqual([]);
      expect(result.resources).toEqual([
        expect.objectContaining({
          op: "adopt",
          name: "new",
          urn: urnOf("agentToServerTest", "new"),
          id,
          from: { urn: urnOf("agentToServerTest", "old"), name: "old" },
          changes: [],
        }),
      ]);
    }
    const { reach } = (await review(steps)).resources[0] ?? {};
    expect(reach?.before?.count).toBeGreaterThan(0);
    expect(reach).toEqual({ before: reach?.before, after: reach?.before });
    const { load } = await review(steps);
    expect(load?.after).toEqual(load?.before);
  });

  test("the review reports findings only for changes to the adopted record", async () => {
    const id = await make(paths.label, label);
    const nobody = { ...label, filters: [{ key: "hostname", values: ["NOWHERE"] }] };
    const result = await review([
      step("delete", "label", "old", { id, before: label }),
      step("create", "label", "new", { after: { ...nobody, adopt } }),
    ]);
    expect(result.resources[0]?.changes).toEqual([
      { property: "filters", how: "changed", before: expect.any(Array), after: expect.any(Array) },
    ]);
    expect(result.findings.map(({ text }) => text)).toEqual(['label "new" selects no agent']);
  });

  test("the review reports an empty selection only if the update changes the record", async () => {
    const nobody = { ...label, filters: [{ key: "hostname", values: ["NOWHERE"] }] };
    const id = await make(paths.label, nobody);
    const renamed = (after: object) =>
      review([
        step("delete", "label", "old", { id, before: nobody }),
        step("create", "label", "new", { after: { ...after, adopt } }),
      ]);
    expect((await renamed(nobody)).findings).toEqual([]);
    expect((await renamed({ ...nobody, color: "#123456" })).findings.map(({ text }) => text)).toEqual([
      'label "new" selects no agent',
    ]);
  });

  test("the review shows the rename as an adoption in Markdown and on the terminal", async () => {
    const id = await make(paths.agentToServer, vpn);
    const steps = [
      step("delete", "agentToServerTest", "old", { id, before: vpn }),
      step("create", "agentToServerTest", "new", { after: { ...vpn, adopt } }),
    ];
    const analysis = await reviewed(emulator.url, steps);
    const markdown = toMarkdown(analysis);
    expect(markdown).toContain("### Endpoint monitoring, stack `dev`: 1 adopted\n");
    expect(markdown).toContain("| adopted | agent-to-server test `new` (`VPN`) |");
    expect(markdown).toContain(`the resource **adopts** the record of \`old\` (id \`${id}\`): id and history are kept`);
    const terminal = toTerminal(analysis);
    expect(terminal).toContain("1 adopted");
    expect(terminal).toContain("=  adopted agent-to-server test new");
    expect(terminal).toContain(`adopts the record of "old" (id ${id}): id and history are kept`);
  });

  test("the review reports that the engine refuses to delete a protected resource", async () => {
    const id = await make(paths.label, label);
    const steps = [
      step("delete", "label", "old", { id, before: label, protect: true }),
      step("create", "label", "new", { after: { ...label, adopt } }),
    ];
    expect((await review(steps)).findings.map(({ rule, text }) => [rule, text])).toEqual([
      ["protected", 'label "old" is protected, so "new" cannot adopt its record until you remove the protection'],
    ]);
  });
});

test("the review recognizes an adoption although a record of another type has the same id", () => {
  const steps = [
    step("delete", "agentToServerTest", "vpn", { id: "7", before: vpn }),
    step("delete", "label", "old", { id: "7", before: label }),
    step("create", "label", "new", { after: { ...label, adopt } }),
  ];
  const result = offline(steps).review;
  expect(result.summary).toMatchObject({ ...numbers, adopted: 1, deleted: 1 });
  expect(result.resources.find(({ op }) => op === "adopt")?.from).toEqual({ urn: urnOf("label", "old"), name: "old" });
});

test("a forced create-first replacement adopts only the resource's own record", async () => {
  const id = await make(paths.label, { ...label, name: "Before" });
  await make(paths.label, label);
  const before = { ...label, name: "Before" };
  const opsOf = async (after: object): Promise<string[]> => {
    const replacement = step("replace", "label", "office", { id, before, after: { ...after, adopt }, reasons: ["id"] });
    const result = await review([replacement], { "endpoint-monitoring:replaceOrder": "create-first" });
    return result.resources.map(({ op }) => op);
  };
  expect([await opsOf(label), await opsOf({ ...before, color: "#000000" })]).toEqual([["replace"], ["update"]]);
});

test("the review shows no adoption of a record that exists only in the state", async () => {
  const gone = { id: "400000000000999", before: label, after: { ...label, color: "#111111" } };
  const result = await review([
    step("update", "label", "gone", gone),
    step("create", "label", "new", { after: { ...label, adopt } }),
  ]);
  expect(result.resources.find(({ name }) => name === "new")).toMatchObject({ op: "create", creation: { how: "none" } });
});

test("the review reports an adoption as uncertain if a create-only value is unknown", async () => {
  await make(paths.agentToServer, vpn);
  const after = { ...vpn, maxMachines: unknownValue, adopt };
  const result = await review([step("create", "agentToServerTest", "new", { after })]);
  expect(result.resources).toMatchObject([{ op: "create", creation: { how: "unclear" } }]);
});

test("the review reports a create as uncertain if an unknown value determines whether an equal record exists", async () => {
  await make(paths.agentToServer, vpn);
  await make(paths.agentToServer, { ...vpn, testName: "Edge", server: "edge.example.com" });
  const outcome = async (after: Properties) => {
    const { resources } = await review([step("create", "agentToServerTest", "new", { after })], identical);
    return resources.map(({ op, creation }) => [op, creation?.how]);
  };
  expect(await outcome({ ...vpn, interval: unknownValue })).toEqual([["create", "unclear"]]);
  expect(await outcome({ ...vpn, testName: unknownValue, server: "edge.example.com" })).toEqual([["create", "unclear"]]);
  expect(await outcome({ ...vpn, interval: unknownValue, server: "other.example.com" })).toEqual([["create", undefined]]);
  expect(await outcome({ ...vpn, interval: 300 })).toEqual([["create", undefined]]);
  expect(await outcome(vpn)).toEqual([["adopt", undefined]]);
});

test("the review shows no changes if the adopted record is in the declared account group", async () => {
  const id = await make(paths.agentToServer, vpn, "1002");
  const after = { ...vpn, accountGroupId: "1002", adopt };
  const result = await review([step("create", "agentToServerTest", "new", { after })]);
  expect(result.resources).toMatchObject([{ op: "adopt", id, changes: [] }]);
});

test("the review shows an adoption if a resource with adopt: true moves into a component", async () => {
  const id = await make(paths.label, label);
  const steps = [
    step("delete", "label", "office", { id, before: label }),
    within(step("create", "label", "office", { after: { ...label, adopt } })),
  ];
  const analysis = await reviewed(emulator.url, steps);
  expect(analysis.review.summary).toMatchObject({ ...numbers, adopted: 1, findings: 0 });
  expect(toMarkdown(analysis)).toContain(
    `the resource **adopts** the record of \`office\`, which has another parent now (id \`${id}\`): its id is kept`,
  );
});

test("the review shows the removal of the old resource from the state after an interrupted adoption", async () => {
  const id = await make(paths.label, label);
  const result = await review([
    step("delete", "label", "old", { id, before: label }),
    step("same", "label", "new", { id, before: label, after: { ...label, adopt } }),
  ]);
  expect(result.summary).toMatchObject({ ...numbers, forgotten: 1, findings: 0 });
});

describe("the stack setting adopt: identical", () => {
  test("the review shows the adoption of an identical record", async () => {
    const id = await make(paths.label, label);
    const steps = [step("delete", "label", "old", { id, before: label }), step("create", "label", "new", { after: label })];
    for (const result of [await review(steps, identical), offline(steps, identical).review]) {
      expect(result.summary).toMatchObject({ ...numbers, adopted: 1, findings: 0 });
    }
  });

  test("the review shows no adoption of a record with other values", async () => {
    const id = await make(paths.label, label);
    const steps = [
      step("delete", "label", "old", { id, before: label }),
      step("create", "label", "new", { after: { ...label, color: "#123456" } }),
    ];
    const result = await review(steps, identical);
    expect(result.summary).toMatchObject({ ...numbers, created: 1, deleted: 1 });
    expect(result.findings.map(({ rule }) => rule)).toEqual(["renamed", "deletes"]);
  });

  test("the review shows a deletion instead of an adoption if the preview masks a value", async () => {
    const id = await make(paths.httpServer, { testName: "Portal", url: "https://portal.example.com" });
    const portal = { testName: "Portal", url: "[secret]" };
    const result = await review(
      [
        step("delete", "httpServerTest", "old", { id, before: portal }),
        step("create", "httpServerTest", "new", { after: portal }),
      ],
      identical,
    );
    expect(result.summary).toMatchObject({ created: 1, deleted: 1 });
    expect(result.resources.find(({ op }) => op === "create")?.creation).toEqual({ how: "unclear" });
    expect(result.findings.map(({ rule }) => rule)).toContain("deletes");
  });
});

test("the review shows an adoption by name although the preview masks a value", async () => {
  const id = await make(paths.httpServer, { testName: "Portal", url: "https://hidden.example.com" });
  const portal = { testName: "Portal", url: "[secret]" };
  const analysis = await reviewed(emulator.url, [
    step("delete", "httpServerTest", "old", { id, before: portal }),
    step("create", "httpServerTest", "new", { after: { ...portal, adopt } }),
  ]);
  expect(analysis.review.summary).toMatchObject({ created: 0, deleted: 0, adopted: 1 });
  expect(JSON.stringify(analysis.review) + toMarkdown(analysis)).not.toContain("hidden.example.com");
});

describe("references to an adopted record", () => {
  const renamed = async () => {
    const id = await make(paths.label, label);
    return {
      id,
      steps: [
        step("delete", "label", "old", { id, before: label }),
        step("create", "label", "new", { after: { ...label, adopt } }),
      ],
    };
  };
  const dependencies = { endpointAgentLabels: [["label", "new"]] as ["label", string][] };

  test("the review shows no change of a test with an adopted label", async () => {
    const { id, steps } = await renamed();
    const test = await make(paths.agentToServer, { ...vpn, ...by(id) });
    const result = await review([
      ...steps,
      step("replace", "agentToServerTest", "vpn", {
        id: test,
        before: { ...vpn, ...by(id) },
        after: { ...vpn, ...by(unknownValue) },
        reasons: ["endpointAgentLabels"],
        dependencies,
      }),
    ]);
    expect(result.summary).toMatchObject({ ...numbers, adopted: 1, findings: 0 });
    expect(result.resources.map(({ name }) => name)).toEqual(["new"]);
    expect(result.resources[0]?.touches).toMatchObject([{ name: "vpn", id: test }]);
  });

  test("the review shows a replacement of a test that also refers to a new label", async () => {
    const { id, steps } = await renamed();
    const test = await make(paths.agentToServer, { ...vpn, ...by(id) });
    const replaced = (after: object, sources: string[]) =>
      step("replace", "agentToServerTest", "vpn", {
        id: test,
        before: { ...vpn, ...by(id) },
        after: { ...vpn, ...after },
        reasons: ["endpointAgentLabels"],
        dependencies: { endpointAgentLabels: sources.map((name): ["label", string] => ["label", name]) },
      });
    const updated = await review([...steps, replaced({ ...by(unknownValue), interval: 300 }, ["new"])]);
    expect(updated.summary).toMatchObject({ ...numbers, adopted: 1, updated: 1 });
    expect(updated.resources.find(({ name }) => name === "vpn")?.changes).toEqual([
      { property: "interval", how: "changed", before: 60, after: 300 },
    ]);
    const both = await review([
      ...steps,
      step("create", "label", "fresh", { after: { ...label, name: "Fresh" } }),
      replaced(by(unknownValue, unknownValue), ["new", "fresh"]),
    ]);
    expect(both.summary).toMatchObject({ ...numbers, adopted: 1, created: 1, replaced: 1 });
    expect(both.resources.find(({ name }) => name === "vpn")?.changes).toMatchObject([
      { property: "endpointAgentLabels", unknown: true, from: [urnOf("label", "fresh")] },
    ]);
  });

  test("the review does not show an adopted label as the reason for a test's replacement", async () => {
    const { id, steps } = await renamed();
    const test = await make(paths.agentToServer, { ...vpn, ...by(id) });
    const replacement = step("replace", "agentToServerTest", "vpn", {
      id: test,
      before: { ...vpn, ...by(id) },
      after: { ...vpn, ...by(unknownValue), maxMachines: 7 },
      reasons: ["endpointAgentLabels", "maxMachines"],
      dependencies,
    });
    const { review: result, warnings } = await reviewed(emulator.url, [...steps, replacement]);
    expect(result.resources.find(({ name }) => name === "vpn")?.replaces).toEqual([{ property: "maxMachines" }]);
    expect(warnings).toEqual([]);
  });

  test("the review does not report a protected test if an adopted label makes the test's replacement unnecessary", async () => {
    const { id, steps } = await renamed();
    const test = await make(paths.agentToServer, { ...vpn, ...by(id) });
    const replacement = step("replace", "agentToServerTest", "vpn", {
      id: test,
      before: { ...vpn, ...by(id) },
      after: { ...vpn, ...by(unknownValue), interval: 300 },
      protect: true,
      reasons: ["endpointAgentLabels"],
      dependencies,
    });
    const result = await review([...steps, replacement]);
    expect(result.resources.find(({ name }) => name === "vpn")).toMatchObject({ op: "update" });
    expect(result.findings.filter(({ rule }) => rule === "protected")).toEqual([]);
  });

  test("the review shows an update of a test if one of its secrets may have changed", async () => {
    const { id, steps } = await renamed();
    const portal = { testName: "Portal", url: "https://portal.example.com", authType: "basic", username: "u", ...by(id) };
    const test = await make(paths.httpServer, portal);
    const replacement = step("replace", "httpServerTest", "portal", {
      id: test,
      before: { ...portal, testName: "[secret]" },
      after: { ...portal, ...by(unknownValue), testName: "[secret]" },
      reasons: ["endpointAgentLabels"],
      dependencies,
    });
    const result = await review([...steps, replacement]);
    expect(result.resources.find(({ name }) => name === "portal")).toMatchObject({ op: "update", hidden: ["testName"] });
  });

  test("the review shows an adopted test although the preview does not know its label's id", async () => {
    const { id, steps } = await renamed();
    const test = await make(paths.agentToServer, { ...vpn, ...by(id) });
    const both = [
      step("delete", "agentToServerTest", "old-vpn", { id: test, before: { ...vpn, ...by(id) } }),
      step("create", "agentToServerTest", "new-vpn", { after: { ...vpn, ...by(unknownValue), adopt }, dependencies }),
    ];
    const result = await review([...steps, ...both]);
    expect(result.summary).toMatchObject({ ...numbers, adopted: 2, findings: 0 });
    expect(result.resources.map(({ changes }) => changes)).toEqual([[], []]);
  });

  test("the review shows a replacement of a test if all labels of the test are unknown", async () => {
    const { id, steps } = await renamed();
    const test = await make(paths.agentToServer, { ...vpn, ...by(id) });
    const after = { ...vpn, agentSelectorType: "agent-labels", endpointAgentLabels: unknownValue };
    const result = await review([
      ...steps,
      step("replace", "agentToServerTest", "vpn", {
        id: test,
        before: { ...vpn, ...by(id) },
        after,
        reasons: ["endpointAgentLabels"],
        dependencies,
      }),
    ]);
    expect(result.summary).toMatchObject({ ...numbers, adopted: 1, replaced: 1 });
  });
});

describe("a create with adopt: true if an unmanaged record exists", () => {
  const created = (after: object, ...rest: EngineStep[]) => [
    step("create", "label", "office", { after: { ...after, adopt } }),
    ...rest,
  ];
  const office = async (steps: EngineStep[], config?: object) =>
    (await review(steps, config)).resources.find(({ name }) => name === "office");

  test("the review names the record that the create adopts", async () => {
    const id = await make(paths.label, { ...label, color: "#123456" });
    const analysis = await reviewed(emulator.url, created(label));
    expect(analysis.review.summary).toMatchObject({ ...numbers, adopted: 1, findings: 0 });
    expect(analysis.review.resources[0]).toMatchObject({
      op: "adopt",
      id,
      changes: [{ property: "color", how: "changed", before: "#123456", after: "#d9d9d9" }],
    });
    expect(analysis.review.resources[0]).not.toHaveProperty("from");
    expect(toMarkdown(analysis)).toContain(
      `the resource **adopts** the existing record \`${id}\` in the service: its id is kept`,
    );
  });

  test("the review reports that the update will fail if several records match", async () => {
    const ids = [await make(paths.label, label), await make(paths.label, label)];
    const result = await office(created(label));
    expect(result).toMatchObject({ op: "create", creation: { how: "several", ids: expect.arrayContaining(ids) } });
    const analysis = await reviewed(emulator.url, created(label));
    expect(toMarkdown(analysis)).toContain("**the update will fail**: several records match");
  });

  test("the review shows the adoption of the identical record if several records share the name", async () => {
    await make(paths.label, { ...label, color: "#123456" });
    const id = await make(paths.label, { ...label, color: "#d9d9d9" });
    expect(await office(created(label))).toMatchObject({ op: "adopt", id, changes: [] });
  });

  test("the review shows a create if no record in the account group matches", async () => {
    await make(paths.label, label, "1002");
    expect(await office(created(label))).toMatchObject({ op: "create", creation: { how: "none" } });
    expect(offline(created(label)).review.resources[0]).toMatchObject({ op: "create", creation: { how: "unseen" } });
  });

  test("the review shows no adoption of a record that another resource manages or replaces", async () => {
    const id = await make(paths.label, label);
    for (const [other, how] of [
      [step("same", "label", "other", { id, before: label, after: label }), "managed"],
      [step("replace", "label", "other", { id, before: label, after: { ...label, accountGroupId: "1002" } }), "none"],
    ] as const) {
      expect(await office(created(label, other))).toMatchObject({ op: "create", creation: { how } });
    }
  });

  test("the review shows an adoption for only one of two creates that match a record", async () => {
    const id = await make(paths.label, label);
    const result = await review(created(label, step("create", "label", "second", { after: { ...label, adopt } })));
    expect(result.summary).toMatchObject({ ...numbers, adopted: 1, created: 1 });
    expect(result.resources.map(({ id: resourceId }) => resourceId)).toEqual([id, undefined]);
  });

  test("the review predicts a failed update if the existing record differs in a create-only value", async () => {
    const id = await make(paths.agentToServer, vpn);
    const result = await review([
      step("delete", "agentToServerTest", "old", { id, before: vpn }),
      step("create", "agentToServerTest", "new", { after: { ...vpn, maxMachines: 5, adopt } }),
    ]);
    expect(result.summary).toMatchObject({ ...numbers, created: 1, deleted: 1 });
    expect(result.resources.find(({ op }) => op === "create")?.creation).toEqual({
      how: "differs",
      ids: [id],
      properties: ["maxMachines"],
    });
  });
});

test("the review reports that a rename without adopt will fail if an identical record exists", async () => {
  const id = await make(paths.label, label);
  const steps = [step("delete", "label", "old", { id, before: label }), step("create", "label", "new", { after: label })];
  const analysis = await reviewed(emulator.url, steps);
  expect(analysis.review.summary).toMatchObject({ ...numbers, created: 1, deleted: 1 });
  expect(analysis.review.resources.find(({ op }) => op === "create")?.creation).toEqual({ how: "identical", ids: [id] });
  expect(toMarkdown(analysis)).toContain(
    `**the update will fail**: the service already has this record (id \`${id}\`). The alias keeps the record`,
  );
});
