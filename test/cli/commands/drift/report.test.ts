import { dirname, join } from "node:path";
import { driftDocument } from "../../../../cli/commands/drift/report";
import type { DriftReport } from "../../../../cli/commands/drift/data";
import { toMarkdown } from "../../../../cli/report/markdown";
import { Output } from "../../../../cli/report/output";
import { toTerminal } from "../../../../cli/report/terminal";
import { silentIo } from "../../../support/command";
import { drifted, reference, reportWith } from "../../drift-support";

// The package's main file is an ES module, which Jest does not load. The CommonJS build is the same code.
const { marked } = require(join(dirname(require.resolve("marked/package.json")), "lib/marked.umd.js")) as {
  marked: { parse(text: string, options: { gfm: true }): string };
};

const names = (): undefined => undefined;
const terminal = (report: DriftReport): string =>
  toTerminal(driftDocument(report, names).blocks("terminal"), new Output(false, silentIo()));
const markdown = (report: DriftReport): string => toMarkdown(driftDocument(report, names).blocks("markdown"));

/** A report with an entry of every sort. */
const full = reportWith({
  stacks: [
    {
      stack: "dev",
      resources: 5,
      changed: [
        drifted("label", "office", [
          { property: "color", before: "#d9d9d9", after: "#000000" },
          {
            property: "filters",
            before: [],
            after: [],
            lost: [{ key: "ssid", mode: "in", values: ["corp-*", "a|b"] }],
            gained: [{ key: "platform", mode: "not-in", values: ["Mac"] }],
          },
        ]),
        drifted(
          "httpServerTest",
          "portal",
          [
            { property: "maxMachines", before: 25, after: 7, replaces: true },
            { property: "username", secret: true, before: undefined, after: undefined, replaces: true },
            { property: "ipVersion", how: "removed", before: "V4_ONLY", after: undefined },
          ],
          {
            replacementCost: "the test gets a new id and its result history is lost",
            modified: "2026-11-21T16:09:07Z",
          },
        ),
      ],
      missing: [{ ...reference("label", "branch"), referredToBy: ["vpn", "meetings"] }],
      notes: [
        drifted("dynamicTest", "meetings", [{ property: "ipVersion", before: "V4_ONLY", after: "V6_ONLY", owner: "service" }]),
      ],
    },
    {
      stack: "prod",
      resources: 0,
      changed: [],
      missing: [],
      notes: [],
      error: { code: "unauthorized", message: "The token is refused" },
    },
  ],
  unmanaged: [
    { kind: "label", id: "17", name: "By | hand `x` <b>", accountGroupId: "1001" },
    { kind: "dynamicTest", id: "18", name: "Zoom", accountGroupId: "1001", modified: "2026-11-20T08:00:00Z" },
  ],
  unseen: ["password", "targetResponseTime"].map((property) => ({ kind: "httpServerTest" as const, property, resources: 1 })),
  failures: ["stack prod could not be compared: The token is refused"],
  fixed: {
    resources: [{ ...reference("label", "lab"), how: "created again", properties: [] }],
    left: [
      {
        ...reference("agentToServerTest", "both"),
        reason: "the program also changes it (update): `pulumi up --refresh` does both",
      },
    ],
    pending: [{ stack: "dev", op: "update", name: "both", urn: "" }],
    failures: [],
  },
});

describe("report of drift", () => {
  it("the drift report on the terminal shows no secrets", () => {
    expect(terminal(full)).toBe(`Drift: 2 changed, 1 missing, 2 unmanaged; 1 stack could not be compared

Fixed: 1 resource
  label lab of stack dev (index.ts:7) created again

Not changed
  agent-to-server test both of stack dev (index.ts:7): the program also changes it (update): \`pulumi up --refresh\` does both

Other changes to the program: not applied (run \`pulumi up\`)
  update both of stack dev

Drift in stack dev (declared value → value in the service)
  ~  changed label office (id-office)  index.ts:7
      ~ color: #d9d9d9 → #000000
      - filters: key: ssid; mode: in; values: corp-*, a|b
      + filters: key: platform; mode: not-in; values: Mac
  ~  changed HTTP server test portal (id-portal)  index.ts:7  last changed 2026-11-21T16:09:07Z
      ~ maxMachines: 25 → 7
      ! username: secret, changed
      - ipVersion: V4_ONLY
      maxMachines, username can be set only at creation
      --fix replaces the record: the test gets a new id and its result history is lost
  -  missing label branch (id-branch)  index.ts:7  no longer exists in the service
      vpn, meetings refer to it

Changed properties in stack dev that the program omits or ignores (not drift)
  ~  changed dynamic test meetings (id-meetings)  index.ts:7
      ~ ipVersion: V4_ONLY → V6_ONLY

Unmanaged records: in the service, but in no stack
  Kind          Name               Id  Account group  Last changed
  label         By | hand \`x\` <b>  17  1001
  dynamic test  Zoom               18  1001           2026-11-20T08:00:00Z

Properties that the service never returns (not compared)
  password, targetResponseTime of 1 HTTP server test

\`endpoint-monitoring drift --fix\` changes the service to match the program. \`--accept\` changes the program to match the service.
\`endpoint-monitoring import\` imports unmanaged records. \`--managed-by\` adds stacks of other projects, \`--no-unmanaged\` skips the search.`);
  });

  it("the Markdown report of drift shows the same content as the terminal report", () => {
    expect(markdown(full)).toMatchSnapshot();
    expect(markdown(full).split("\n")[0]).toBe("## Drift: 2 changed, 1 missing, 2 unmanaged; 1 stack could not be compared");
  });

  it("the drift report confirms that a stack has no drift", () => {
    const none = reportWith({ drift: false, stacks: [{ stack: "dev", resources: 1, changed: [], missing: [], notes: [] }] });
    expect(terminal(none)).toBe("No drift: 1 resource of 1 stack is as declared");
    expect(markdown(none)).toBe("## No drift: 1 resource of 1 stack is as declared\n");
  });

  it("the drift report escapes terminal sequences and markup in names", () => {
    const name = "a\u001b[31m\u202e|`<img src=x onerror=alert(1)>` [x](http://evil.example.com) @someone #1 <!-- \n# Heading";
    const odd = reportWith({
      changed: [drifted("label", name, [{ property: "name", before: name, after: `${name}${name}` }], { id: name })],
      unmanaged: [{ kind: "label", id: name, name, accountGroupId: name }],
    });
    // oxlint-disable-next-line no-control-regex -- the report must not contain these characters
    expect(terminal(odd)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    const html = marked.parse(markdown(odd), { gfm: true });
    expect(html).not.toMatch(/<img|<a |<h1/);
    // The page has one table with a head and one row, and one diff block, whatever the names are.
    expect(html.match(/<tr>/g)).toHaveLength(2);
    for (const row of html.match(/<tr>[^]*?<\/tr>/g) ?? []) expect(row.match(/<t[hd]/g)).toHaveLength(5);
    expect(html.match(/<pre>/g)).toHaveLength(1);
    expect(html.match(/<pre>[^]*<\/pre>/)?.[0].match(/^(<pre><code[^>]*>)?[-+] name: /gm)).toHaveLength(2);
  });

  it("the drift report fits into a pull request comment and counts the omitted entries", () => {
    const many = reportWith({
      changed: Array.from({ length: 1_000 }, (_, i) => drifted("agentToServerTest", `portal-${i}`)),
      unmanaged: Array.from({ length: 1_000 }, (_, i) => ({ kind: "label" as const, id: `${i}`, name: `Label ${i}` })),
    });
    const text = markdown(many);
    expect(text.length).toBeLessThanOrEqual(60_000);
    expect(text.length).toBeGreaterThan(50_000);
    expect(text.startsWith("## Drift: 1000 changed, 1000 unmanaged\n")).toBe(true);
    const [changed, rows] = [text.match(/^\*\*Changed\*\*/gm)?.length ?? 0, text.match(/^\| label \|/gm)?.length ?? 0];
    expect([changed > 100, rows > 100]).toEqual([true, true]);
    expect(text).toContain(`… and ${(1_000 - changed).toLocaleString("en-US")} more resources.`);
    expect(text).toContain(`… and ${(1_000 - rows).toLocaleString("en-US")} more records.`);
    expect(markdown(many)).toBe(text);
    // A single resource with a long list in each part is shortened as well.
    const lost = Array.from({ length: 5_000 }, (_, i) => `agent-${i}`.padEnd(200, "x"));
    const wide = reportWith({
      changed: [drifted("agentToServerTest", "wide", [{ property: "agents", before: lost, after: [], lost, gained: [] }])],
    });
    expect(markdown(wide)).toContain("… and 4,970 more lines");
    expect(markdown(wide).length).toBeLessThan(5_000);
  });
});

test("the drift report shows only a heading if a fix changed no resources", () => {
  const nothing = { resources: [], replaced: [], left: [], pending: [], failures: [] };
  const blocks = driftDocument(reportWith({ fixed: nothing }), names).blocks("terminal");
  const at = blocks.findIndex((block) => JSON.stringify(block).includes("Fixed: 0 resources"));
  expect(at).toBeGreaterThanOrEqual(0);
  expect(toTerminal(blocks.slice(at), new Output(false, silentIo())).trim()).toBe("Fixed: 0 resources");
  expect(toMarkdown(blocks.slice(at)).trim()).toBe("### Fixed: 0 resources");
});
