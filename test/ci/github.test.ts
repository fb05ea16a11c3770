/** Runs the workflows as GitHub does: their steps as scripts, with the engine, the service and GitHub's API. */
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { token } from "./support/ci-provider";
import { Github } from "./support/github";

interface Labels {
  labels: { id: string; name: string }[];
}

const labels = "/v7/endpoint/labels";

// One repository from its first pull request on. Each test continues where the previous one stopped.
describe("GitHub workflows", () => {
  let github: Github;
  let target: Server;

  beforeAll(async () => {
    github = await Github.start();
    target = createServer((_request, response) => response.end());
    await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  });
  afterAll(async () => {
    target.closeAllConnections();
    await Promise.all([new Promise((resolve) => target.close(resolve)), github.end()]);
  });

  const listed = async () => (await github.repository.api<Labels>("GET", labels)).labels;
  /** Settings with a service user who may only read. */
  const reading = () => ({ secrets: { ...github.repository.secrets, ENDPOINT_MONITORING_TOKEN: "emulator-read-only-token" } });

  /** Only the pull request of the merge rehearses. */
  const unrehearsed = () => ({ ...github.repository.vars, ENDPOINT_MONITORING_REHEARSE: "false" });

  it("the review of a pull request needs no write permission for the service", async () => {
    const { repository, ciProvider } = github;
    const first = await github.pull("abcdef0123456789", { ...reading(), vars: unrehearsed() });
    expect(first).toMatchObject({ review: { result: "success" }, comment: { result: "success" } });
    expect(ciProvider.comments).toHaveLength(1);
    const shown = ciProvider.comments[0]?.body ?? "";
    expect(shown).toMatch(
      /^<!-- endpoint-monitoring: review quickstart dev -->\n### Endpoint monitoring, stack `dev`: 8 created\n/,
    );
    expect(shown).toMatch(
      /Commit abcdef0 · \S+ \S+ UTC · \[job\]\(https:\/\/github\.example\.com\/owner\/name\/actions\/runs\/4711\)$/,
    );
    expect(first["review"]?.summary).toContain("### Endpoint monitoring, stack `dev`: 8 created");
    // A review changes nothing.
    expect(await listed()).toEqual([]);
    expect(repository.emulator.requests()).not.toHaveProperty(["labels.create"]);
  });

  it("a merge creates the declared resources and verifies the tests", async () => {
    const { port } = target.address() as AddressInfo;
    const environments = join(github.repository.root, "environments.jsonl");
    github.repository.write(
      "index.ts",
      `// @ts-nocheck
      import { appendFileSync } from "node:fs";
      import { HttpServerTest, Label } from "pulumi-endpoint-monitoring";
      appendFileSync(${JSON.stringify(environments)}, JSON.stringify(process.env) + "\\n");
      new Label("office", { name: "Office", matchType: "or", filters: [{ key: "ssid", values: ["corp-*"] }] });
      new HttpServerTest("portal", { testName: "Portal", url: "http://127.0.0.1:${port}/", interval: 300 });`,
    );
    expect((await github.pull())["review"]).toMatchObject({ result: "success" });
    const { up: merged } = await github.merge();
    expect(merged).toMatchObject({ result: "success" });
    expect(merged?.summary).toMatch(/`portal` .*passed/);
    expect((await listed()).map(({ name }) => name)).toEqual(["Office"]);
    // The CI provider's token is never visible to the program in previews, rehearsals and updates.
    const seen = readFileSync(environments, "utf8").trim().split("\n");
    expect(seen.length).toBeGreaterThan(3);
    for (const env of seen) expect(env).not.toContain(token);
    expect(seen.filter((env) => env.includes("GITHUB_ACTIONS"))).toEqual(seen);
    // After all of this.
    expect(github.leaked).toEqual([]);
  });
});
