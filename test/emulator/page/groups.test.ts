import { useEmulator } from "../../support/emulator";
import { look, paths, tagOfAgents, tagsPath } from "../support";

const emulator = useEmulator();
beforeEach(() => emulator.reset());

const text = async (path: string) => (await look(emulator.url, path)).text();

test("a label's page shows its rule, current agents and tests", async () => {
  const label = await emulator.create(paths.label, {
    name: "Any host",
    color: "#123456",
    matchType: "and",
    filters: [
      { key: "hostname", values: ["*"] },
      { key: "platform", mode: "not-in", values: ["Mac"] },
    ],
  });
  await emulator.create(paths.httpServer, {
    testName: "Uses it",
    url: "https://x.example",
    agentSelectorType: "agent-labels",
    endpointAgentLabels: [label],
  });
  const markup = await text(`/labels/${label}`);
  for (const shown of ["Any host", "hostname", "not in", "#123456", "Uses it", 'href="/agents/'])
    expect(markup).toContain(shown);
  expect(await text("/labels")).toContain(`/labels/${label}`);
});

test("a tag's page shows its rule, agents and tests", async () => {
  const filters = [
    { key: "hostname", values: ["*"] },
    { key: "platform", mode: "not-in", values: ["Mac"] },
    { key: "Büro", scope: "custom", values: ["Köln"] },
  ];
  const id = await emulator.create(tagsPath, {
    ...tagOfAgents,
    color: "#123456",
    key: "team",
    value: "sre",
    description: "On call",
    matchType: "or",
    filters,
  });
  await emulator.create(paths.httpServer, {
    testName: "Uses it",
    url: "https://x.example",
    agentSelectorType: "agent-tags",
    tagIds: [id],
  });
  const { agents } = (await emulator.call("GET", `/_emulator/tags/${id}/agents`)) as { agents: { id: string }[] };
  expect(agents.length).toBeGreaterThan(1);
  const markup = await text(`/tags/${id}`);
  for (const shown of ["team: sre", "On call", "endpoint-agent", "hostname", "not in", "Büro", "Köln", "#123456", "Uses it"])
    expect(markup).toContain(shown);
  expect(markup).toMatch(new RegExp(`<h2>${agents.length} agents now</h2>`));
  expect(await text(`/agents/${agents[0]?.id}`)).toContain(`/tags/${id}`);
  const list = await text("/tags");
  expect(list).toContain(`/tags/${id}`);
  const rowOf = (name: string): string => list.split("<tr").find((row) => row.includes(name)) ?? "";
  // The same numbers of agents and tests as the control API and the program above.
  expect(
    rowOf("team: sre")
      .match(/class="number"[^>]*>([\d,]+)</g)
      ?.map((cell) => cell.replace(/[^\d]*(\d+)<$/, "$1")),
  ).toEqual([String(agents.length), "1"]);
  expect(await text("/tags?search=SRE")).toContain("team: sre");
  expect(await text("/tags?search=other")).toContain("No tag has this text in its name.");
  const test = await text("/tests");
  const testPath = /href="(\/tests\/[^"?]+)"/.exec(test)?.[1] ?? "";
  expect(await text(testPath)).toContain(`/tags/${id}`);
});

test("a static tag's page shows its assignments", async () => {
  const tag = await emulator.create(tagsPath, {
    key: "site",
    value: "HQ",
    objectType: "endpoint-test",
    type: "static",
    accessType: "all",
  });
  await emulator.call("POST", `${tagsPath}/${tag}/assign`, { assignments: [{ id: "281474976710999", type: "endpoint-test" }] });
  expect(await text("/tags")).toContain("assigned to 1 object");
  const markup = await text(`/tags/${tag}`);
  for (const shown of ["site: HQ", "static", "281474976710999", "0 agents now", "Agents can have only dynamic tags."])
    expect(markup).toContain(shown);
});

test("a record's page shows the record's account group", async () => {
  const label = await emulator.create(paths.label, { name: "Branch", matchType: "or", filters: [] }, "1002");
  const markup = await text(`/labels/${label}`);
  expect(markup).toContain("account group 1002");
  expect(await text("/labels")).not.toContain("Branch<");
  expect(await text("/labels?aid=1002")).toContain("Branch<");
  expect(await text("/labels?aid=9")).toContain("account group 1001");
});
