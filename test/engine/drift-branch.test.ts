/** `drift --accept --branch` on the engine, with a repository of git and a bare one as its remote. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { door, report } from "./support/drift";
import { Stack } from "./support/stack";

const source = `import { AgentToServerTest, Label } from "pulumi-endpoint-monitoring";

export const office = new Label("office", { name: "Office", matchType: "or", filters: [{ key: "ssid", values: ["corp-*"] }] });
new AgentToServerTest("vpn", {
  testName: "VPN",
  server: "vpn.example.com",
  interval: 60,
  agentSelectorType: "agent-labels",
  endpointAgentLabels: [office.id],
});
new AgentToServerTest("mail", { testName: "Mail", server: "mail.example.com", interval: 60 });
`;
const name = "endpoint-monitoring/drift-test";
const aToS = "/v7/endpoint/tests/scheduled-tests/agent-to-server";

describe("drift on a branch", () => {
  let stack: Stack;
  let remote: string;
  const ids: Record<string, string> = {};
  const git = (folder: string, ...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", ...args], {
      cwd: folder,
      encoding: "utf8",
      env: { ...stack.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
  const here = (...args: string[]): string => git(stack.folder, ...args);
  const file = (): string => join(stack.folder, "index.ts");
  const set = (test: string, values: object): Promise<Response> => stack.api("PATCH", `${aToS}/${ids[test]}`, values);
  /** Runs the command. @returns its exit code, what it reports of the branch, and the program on it */
  const propose = async (...args: string[]) => {
    const run = await stack.cli("drift", "--accept", "--branch", "--no-unmanaged", "--json", ...args);
    const data = report(run);
    const { branch, accepted } = data;
    if (!branch) throw new Error(run.text);
    const program = branch.commit === undefined ? undefined : here("show", `${branch.commit}:index.ts`);
    return { code: run.code, branch, accepted, program, data };
  };

  beforeAll(async () => {
    stack = await Stack.start({}, "typescript");
    Object.assign(stack.environment, { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" });
    writeFileSync(file(), source);
    writeFileSync(join(stack.folder, ".gitignore"), "node_modules/\nhome/\nbackend/\n");
    await stack.up();
    for (const [resource, { id }] of Object.entries(stack.state())) ids[resource] = id;
    remote = mkdtempSync(join(tmpdir(), "remote-"));
    git(remote, "init", "--bare", "--quiet", "--initial-branch=main");
    here("init", "--quiet", "--initial-branch=main");
    here("add", ".");
    here("commit", "--quiet", "-m", "The program");
    here("remote", "add", "origin", remote);
    here("push", "--quiet", "origin", "main");
  }, 300_000);
  afterAll(async () => {
    rmSync(remote, { recursive: true });
    await stack.end();
  });

  it("commits what was accepted for a dirty tree, detached, and by nobody, and touches nothing else", async () => {
    await set("vpn", { interval: 300 });
    // Only a create takes it: an update after the merge would replace the test.
    await door(stack, "agent-to-server-tests", ids["mail"] ?? "", { maxMachines: 7 });
    const dirty = `${source}// Not committed.\n`;
    writeFileSync(file(), dirty);
    writeFileSync(join(stack.folder, "notes.txt"), "mine");
    here("checkout", "--quiet", "--detach");
    const before = [here("status", "--porcelain"), here("rev-parse", "HEAD"), here("branch", "--list")];
    const state = stack.resources();
    const { code, branch, accepted, program } = await propose();
    expect(accepted?.failures).toEqual([]);
    const commit = here("rev-parse", `refs/heads/${name}`);
    expect({ code, branch }).toEqual({
      code: 2,
      branch: { name, commit, changed: true, isEmpty: false, isOurs: true, conflicts: [] },
    });
    expect(program).toBe(source.replace("interval: 60,\n", "interval: 300,\n").trim());
    expect(accepted?.left).toMatchObject([
      { name: "mail", reason: expect.stringContaining("maxMachines is set at creation only") },
    ]);
    expect(here("log", "--format=%an <%ae>|%cn|%s|%P", "-1", commit)).toBe(
      `endpoint-monitoring <endpoint-monitoring@localhost>|endpoint-monitoring|Accept drift of stack dev|${here("rev-parse", "HEAD")}`,
    );
    expect(here("log", "--format=%b", "-1", commit)).toContain("- agentToServerTest vpn: interval");
    expect(readFileSync(file(), "utf8")).toBe(dirty);
    expect([here("status", "--porcelain"), here("rev-parse", "HEAD"), before[2]]).toEqual(before);
    expect(stack.resources()).toEqual(state);
    expect(here("worktree", "list").split("\n")).toHaveLength(1);
    expect(existsSync(join(stack.folder, "node_modules/pulumi-endpoint-monitoring/package.json"))).toBe(true);
  }, 300_000);

  it("is found by the next run in the remote, with what a person committed there, and is empty once the drift is gone", async () => {
    here("push", "--quiet", "origin", name);
    here("branch", "--quiet", "-D", name);
    here("fetch", "--quiet", "origin", `+refs/heads/${name}:refs/remotes/origin/${name}`);
    expect((await propose()).branch).toMatchObject({
      changed: false,
      isOurs: true,
      commit: here("rev-parse", `origin/${name}`),
    });
    const person = join(remote, "person");
    git(remote, "clone", "--quiet", "--branch", name, remote, person);
    writeFileSync(
      join(person, "index.ts"),
      readFileSync(join(person, "index.ts"), "utf8").replace('"VPN"', '"VPN of the office"'),
    );
    git(person, "commit", "--quiet", "-am", "Another name");
    git(person, "push", "--quiet", "origin", name);
    here("fetch", "--quiet", "origin", `+refs/heads/${name}:refs/remotes/origin/${name}`);
    await set("mail", { interval: 300 });
    await door(stack, "agent-to-server-tests", ids["mail"] ?? "", { maxMachines: 25 });
    const { branch, program, accepted } = await propose();
    expect(branch).toMatchObject({ changed: true, isOurs: false, conflicts: [] });
    expect(program).toBe(source.replaceAll("interval: 60", "interval: 300").replace('"VPN"', '"VPN of the office"').trim());
    expect(accepted?.left).toEqual([]);
    here("push", "--quiet", "origin", name);

    // Merged and applied: nothing differs any more, and the name that the person gave is the service's.
    here("checkout", "--quiet", "--force", name);
    await stack.up();
    here("checkout", "--quiet", "--detach", "main");
    const after = await stack.cli("drift", "--accept", "--branch", "--no-unmanaged");
    expect(after).toMatchObject({ code: 0, stdout: expect.stringContaining(`Nothing to commit on branch ${name}`) });
  }, 300_000);
});
