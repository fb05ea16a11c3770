/** The workflows as GitHub runs them: their steps as scripts, the engine, the service, and the forge's interface. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Forge, token } from "./support/forge";
import { Repository, secrets } from "./support/repository";
import { type JobResult, runWorkflow } from "./support/workflow";

interface Settings {
  vars: Record<string, string>;
  secrets: Record<string, string>;
}
interface Labels {
  labels: { id: string; name: string }[];
}

const labels = "/v7/endpoint/labels";

/** The event of a pull request from a repository, which is nothing where it was deleted. */
function pullFrom(repo: { full_name: string } | null, sha = "abcdef0123456789"): object {
  return { pull_request: { number: 12, head: { sha, repo } } };
}

describe("GitHub", () => {
  let repository: Repository;
  let forge: Forge;
  /** Everything that jobs have printed. */
  let printed: string;

  beforeEach(async () => {
    printed = "";
    [repository, forge] = await Promise.all([Repository.start(), Forge.start("github")]);
  });
  afterEach(() => Promise.all([repository.end(), forge.close()]));

  const run = async (
    file: string,
    eventName: string,
    event: object,
    settings: Settings,
  ): Promise<Record<string, JobResult>> => {
    const jobs = await runWorkflow(`endpoint-monitoring-${file}.yml`, {
      repository: repository.folder,
      eventName,
      event,
      ...settings,
      token,
      env: { ...repository.machine, ...forge.env("") },
      onPermissions: (permissions) => (forge.permissions = permissions),
    });
    for (const { log, summary } of Object.values(jobs)) printed += log + summary;
    return jobs;
  };
  const settings = (): Settings => ({ vars: repository.vars, secrets: repository.secrets });
  /** A pull request, or a push to it. */
  const pull = async (sha = "abcdef0123456789", given: Partial<Settings> = {}) =>
    run("review", "pull_request", pullFrom({ full_name: "owner/name" }, sha), { ...settings(), ...given });
  const merge = async () => (await run("up", "push", { ref: "refs/heads/main" }, settings()))["up"];
  const night = async () => (await run("drift", "schedule", {}, settings()))["drift"];
  /** What people and logs got to see. */
  const seen = (): string => [printed, ...[...forge.comments, ...forge.issues].map(({ body }) => body)].join("\n");
  const hidden = [...Object.values(secrets), token];

  it("a pull request: one comment, brought up to date by the next push, and by one that breaks the program", async () => {
    const first = await pull();
    expect(first).toMatchObject({ review: { result: "success", outputs: { found: "false" } }, fork: { result: "skipped" } });
    expect(forge.comments).toHaveLength(1);
    const shown = forge.comments[0]?.body ?? "";
    expect(shown).toMatch(/^<!-- endpoint-monitoring: review quickstart dev -->\n### Endpoint monitoring: 8 created\n/);
    expect(shown).toMatch(/Commit abcdef0 · \[job\]\(https:\/\/github\.example\.com\/owner\/name\/actions\/runs\/4711\)$/);
    expect(first["review"]?.summary).toContain("### Endpoint monitoring: 8 created");
    // A look changes nothing.
    expect((await repository.api<Labels>("GET", labels)).labels).toEqual([]);

    // There is something that a review is to stop for: the comment is written, and the job is red.
    repository.edit("index.ts", 'new AgentToServerTest("dns"', 'new AgentToServerTest("resolver"');
    const vars = { ...repository.vars, ENDPOINT_MONITORING_FAIL_ON: "protected,selects-all" };
    expect((await pull("fedcba9876543210", { vars }))["review"]).toMatchObject({ result: "failure" });
    expect(forge.comments).toHaveLength(1);
    expect(forge.comments[0]?.body).toMatch(/8 created\n.*Worth stopping for.*`resolver`.*Commit fedcba9/s);

    repository.edit("index.ts", 'name: "Office"', "name: 42");
    expect((await pull("0123456789abcdef"))["review"]).toMatchObject({ result: "failure", summary: "" });
    expect(forge.comments).toHaveLength(1);
    expect(forge.comments[0]?.body).toMatch(/\n\*\*The review failed\.\*\* The log of the job says why\.\n\nCommit 0123456/);
    expect(printed).toMatch(/^endpoint-monitoring review: The preview failed: .*unhandled exception: TSError/m);
    for (const secret of hidden) expect(seen()).not.toContain(secret);
  }, 240_000);

  it("a merge: what is declared is there and has measured; nights: one issue, until nothing differs any more", async () => {
    let status = 200;
    const target = createServer((_request, response) => response.writeHead(status).end());
    await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
    try {
      // A listening TCP server has an address.
      const { port } = target.address() as AddressInfo;
      repository.write(
        "index.ts",
        `import { HttpServerTest, Label } from "pulumi-endpoint-monitoring";
        new Label("office", { name: "Office", matchType: "or", filters: [{ key: "ssid", values: ["corp-*"] }] });
        new HttpServerTest("portal", { testName: "Portal", url: "http://127.0.0.1:${port}/", interval: 300 });`,
      );
      const first = await merge();
      expect(first).toMatchObject({ result: "success", outputs: { found: "false" } });
      expect(first?.summary).toMatch(/`portal` .*passed/);
      const [office] = (await repository.api<Labels>("GET", labels)).labels;
      expect(office?.name).toBe("Office");

      // The next change finds a target that is ill: the job is red, and its page says why.
      status = 503;
      repository.edit("index.ts", "interval: 300", "interval: 600");
      const second = await merge();
      expect(second?.result).toBe("failure");
      expect(second?.summary).toMatch(/503/);

      expect(await night()).toMatchObject({ result: "success", outputs: { found: "false" } });
      expect(forge.issues).toEqual([]);
      await repository.api("PATCH", `${labels}/${office?.id}`, { name: "Somebody's" });
      expect(await night()).toMatchObject({ result: "success", outputs: { found: "true" } });
      expect(forge.issues).toMatchObject([{ title: "Drift: quickstart dev", labels: ["endpoint-monitoring"], open: true }]);
      expect(forge.issues[0]?.body).toMatch(/Drift: 1 changed/);
      expect(printed).toContain("::warning::There is drift: see the issue.");

      await repository.api("POST", labels, { name: "Nobody's", matchType: "or", filters: [] });
      await night();
      expect(forge.issues).toHaveLength(1);
      expect(forge.issues[0]?.body).toMatch(/1 changed, 1 unmanaged/);

      await repository.must("node", repository.command, "drift", "--stack", "dev", "--mend", "--no-unmanaged");
      const { labels: all } = await repository.api<Labels>("GET", labels);
      await repository.api("DELETE", `${labels}/${all.find(({ name }) => name === "Nobody's")?.id}`);
      expect(await night()).toMatchObject({ result: "success", outputs: { found: "false" } });
      expect(forge.issues).toMatchObject([{ open: false }]);
      expect(forge.comments).toEqual([]);
      for (const secret of hidden) expect(seen()).not.toContain(secret);
    } finally {
      target.closeAllConnections();
      await new Promise((resolve) => target.close(resolve));
    }
  }, 400_000);

  it("a fork: nothing of it runs, and a job says what to do", async () => {
    for (const repo of [{ full_name: "mallory/name" }, null]) {
      const jobs = await run("review", "pull_request", pullFrom(repo), { vars: {}, secrets: {} });
      expect(jobs).toMatchObject({ review: { result: "skipped", log: "" }, fork: { result: "success" } });
      expect(jobs["fork"]?.log).toMatch(/^::notice title=No review::This comes from a fork, [^\n]+\n$/);
    }
    expect([forge.requests, repository.emulator.requests()]).toEqual([[], {}]);
  }, 60_000);

  it("the service is down: a review says what it lacks, up touches nothing, a night leaves the issue alone; all are red", async () => {
    await repository.emulator.close();
    const { review } = await pull();
    expect(review?.result).toBe("failure");
    expect(review?.log).toMatch(/^✗ failed {3}base URL .* cannot be reached: .*\n.*→ curl/m);
    expect(forge.comments[0]?.body).toMatch(
      /8 created.*> \[!WARNING\]\n> - Whom labels and tests reach could not be worked out/s,
    );

    const applied = await merge();
    expect(applied).toMatchObject({ result: "failure", summary: "" });
    expect(applied?.log).toMatch(/cannot be reached/);
    expect(applied?.log).not.toContain("Updating");

    const old = { body: "<!-- endpoint-monitoring: drift quickstart dev -->\nOld", labels: ["endpoint-monitoring"] };
    forge.issues.push(forge.written(old));
    const dark = await night();
    expect(dark).toMatchObject({ result: "failure", summary: "" });
    expect(dark?.log.trim().split("\n").at(-1)).toMatch(/^endpoint-monitoring drift: .*the connection was refused/);
    expect(forge.issues).toMatchObject([{ open: true, body: old.body }]);
  }, 240_000);

  it("the forge refuses: the job is red, in one line; a user of the service who may only read is enough", async () => {
    const reading = { secrets: { ...repository.secrets, ENDPOINT_MONITORING_TOKEN: "emulator-read-only-token" } };
    for (let n = 0; n < 4; n += 1) forge.faults.push({ method: "POST", path: /comments$/, status: 500 });
    const { review } = await pull("abcdef0123456789", reading);
    expect(review?.result).toBe("failure");
    expect(review?.log.trim().split("\n").at(-1)).toMatch(
      /^forge: POST \/repos\/owner\/name\/issues\/12\/comments was answered with 500 .*; tried 4 times$/,
    );
    expect(review?.summary).toContain("8 created");

    expect(await pull("abcdef0123456789", reading)).toMatchObject({ review: { result: "success" } });
    const looked = await run("drift", "workflow_dispatch", {}, { ...settings(), ...reading });
    expect(looked).toMatchObject({ drift: { result: "success", outputs: { found: "false" } } });
  }, 240_000);

  it("settings are missing: it says which, and what to do", async () => {
    const closed = await pull("abcdef0123456789", { secrets: {} });
    expect(closed).toMatchObject({ review: { result: "failure" } });
    expect(closed["review"]?.log).toMatch(/✗ failed {3}settings .*\n.*→ .*PULUMI_CONFIG_PASSPHRASE/);
    const { ENDPOINT_MONITORING_STACK: _, ...vars } = repository.vars;
    expect((await pull("abcdef0123456789", { vars }))["review"]?.log).toMatch(
      /No stack of project quickstart is selected: say --stack/,
    );
    expect(forge.comments[0]?.body).toContain("**The review failed.**");
  }, 180_000);
});
