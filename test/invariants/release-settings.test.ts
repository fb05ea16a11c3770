/**
 * Tests the command that checks a maintainer's GitHub settings, with a scripted server. tools/release/README.md lists the
 * settings.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

const root = join(__dirname, "../..");

/** GitHub's responses with all settings correct. */
const whole: Readonly<Record<string, unknown>> = {
  "/environments/npm": { protection_rules: [{ type: "required_reviewers" }] },
  "/environments/npm/deployment-branch-policies": { branch_policies: [{ type: "tag", name: "v*" }] },
  "/rulesets": [{ id: 7, target: "tag", enforcement: "active" }],
  "/rulesets/7": {
    conditions: { ref_name: { include: ["refs/tags/v*"] } },
    rules: [{ type: "creation" }, { type: "update" }, { type: "deletion" }],
  },
  "/rules/branches/main": [
    { type: "non_fast_forward" },
    { type: "deletion" },
    { type: "pull_request", parameters: { required_approving_review_count: 1 } },
  ],
  "/actions/permissions/workflow": { default_workflow_permissions: "read" },
  "/private-vulnerability-reporting": { enabled: true },
};

async function check(
  answers: Readonly<Record<string, unknown>>,
  token = "token",
): Promise<{ code: number | null; text: string }> {
  const server = createServer(({ url = "", headers }, response) => {
    const answer = answers[url.replace("/repos/owner/name", "").replace(/\?.*/, "")];
    const status = headers.authorization === "Bearer token" ? (answer === undefined ? 404 : 200) : 401;
    response.writeHead(status).end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has an address.
  const GITHUB_API_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { PATH: process.env["PATH"], GITHUB_API_URL, GITHUB_REPOSITORY: "owner/name", GH_TOKEN: token };
  try {
    const child = spawn(process.execPath, [join(root, ".ci/settings.mjs")], { env, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (more: string) => (text += more));
    const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
    return { code, text };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test("the check of the repository settings confirms each setting that tools/release/README.md lists", async () => {
  const { code, text } = await check(whole);
  const lines = text.trim().split("\n");
  expect([code, lines.filter((line) => line.startsWith("✓ "))]).toEqual([0, lines]);
  expect(lines).toHaveLength(6);
  const page = readFileSync(join(root, "tools/release/README.md"), "utf8");
  for (const line of lines) expect(page).toContain(`- ${line.slice(2)} `);
});

const [mains, tags] = [whole["/rules/branches/main"] as object[], whole["/rulesets/7"] as object];
const missing: [string, string, unknown][] = [
  ["The environment npm has required reviewers", "/environments/npm", { protection_rules: [{ type: "branch_policy" }] }],
  [
    "Only `v*` tags can deploy to the environment npm",
    "/environments/npm/deployment-branch-policies",
    { branch_policies: [{ type: "branch", name: "*" }] },
  ],
  ["Only maintainers can create", "/rulesets/7", { ...tags, rules: [{ type: "deletion" }] }],
  ["Only maintainers can create", "/rulesets", [{ id: 7, target: "tag", enforcement: "evaluate" }]],
  ["Changes to main", "/rules/branches/main", mains.slice(0, 2)],
  ["Changes to main", "/rules/branches/main", undefined],
  ["By default, workflow tokens", "/actions/permissions/workflow", { default_workflow_permissions: "write" }],
  ["Users can report vulnerabilities", "/private-vulnerability-reporting", { enabled: false }],
];

test.each(missing)(
  "the check of the repository settings reports the wrong setting %s in the response for %s",
  async (what, path, answer) => {
    const { code, text } = await check({ ...whole, [path]: answer });
    expect([code, text]).toEqual([
      2,
      expect.stringMatching(new RegExp(`^✗ ${what.replaceAll("*", "\\*")}.*\n  → Settings > `, "m")),
    ]);
    expect(text.match(/^✗/gm)).toHaveLength(1);
  },
);

test("the check of the repository settings reports an invalid token in one line", async () => {
  expect(await check(whole, "other")).toEqual({ code: 1, text: "settings: GH_TOKEN is not a GitHub token\n" });
});
