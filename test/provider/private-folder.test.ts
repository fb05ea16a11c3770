/**
 * Tests the private folder of a user's processes in pods and on shared machines. The processes run as a user without an
 * account.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transformFileSync } from "@swc/core";
import { type FolderCandidate, privateFolder } from "../../provider/private-folder";
import { temporary } from "../support/temporary";

const isRoot = process.getuid?.() === 0;
/** The user of the processes. Only root can start a process of another user. Other users keep their own. */
const user = isRoot ? 23_456 : (process.getuid?.() ?? 0);

let root: string;
let compiled: string;
beforeAll(() => {
  compiled = join(temporary(), "private-folder.cjs");
  const { code } = transformFileSync(join(__dirname, "../../provider/private-folder.ts"), {
    swcrc: false,
    jsc: { target: "es2023", parser: { syntax: "typescript" } },
    module: { type: "commonjs" },
  });
  writeFileSync(compiled, code);
});
beforeEach(newRoot);

/** Begins with an empty folder, so that a test can create folders with the same names again. */
function newRoot(): void {
  root = temporary();
  chmodSync(root, 0o755);
}

/** Creates a folder, owned by the user by default. */
function folder(name: string, mode = 0o755, owner = user): string {
  const path = join(root, name);
  mkdirSync(path);
  if (isRoot) chownSync(path, owner, owner);
  chmodSync(path, mode);
  return path;
}

interface Answer {
  path?: string;
  error?: string;
}

/**
 * Runs a process of the user, which chooses a folder for each environment. A user other than root acts like a user without an
 * account.
 */
function choices(...environments: NodeJS.ProcessEnv[]): Answer[] {
  const script = `
    const { privateFolder } = require(${JSON.stringify(compiled)});
    if (${isRoot}) { process.setgroups([]); process.setgid(${user}); process.setuid(${user}); }
    else require("node:os").homedir = () => { throw new Error("no account"); };
    const answers = ${JSON.stringify(environments)}.map((env) => {
      try { return { path: privateFolder("operations", undefined, env) }; }
      catch (error) { return { error: error.message }; }
    });
    console.log(JSON.stringify(answers));`;
  const output = execFileSync(process.execPath, ["--eval", script], { env: { PATH: process.env["PATH"] } });
  return JSON.parse(output.toString()) as Answer[];
}

const inPlace = (place: string): string => join(place, `pulumi-endpoint-monitoring-${user}`, "operations");

/** Unsuitable temporary folders, with the reason that the message names. */
const unfit: [name: string, make: () => string, fault: RegExp][] = [
  [
    "an emptyDir with mode 0777",
    () => folder("emptydir", 0o777),
    /other users may rename the contents of .*emptydir \(chmod go-w/,
  ],
  ["a folder with mode 0775 and a group", () => folder("grouped", 0o775), /other users may rename the contents of .*grouped/],
  ["a folder with mode 2775 and a group", () => folder("setgid", 0o2775), /other users may rename the contents of .*setgid/],
  ["a folder that does not exist", () => join(root, "nowhere"), /ENOENT/],
  ["a read-only folder", () => folder("closed", 0o555, isRoot ? 0 : user), /EACCES/],
  ["a read-only file system", () => "/proc", /ENOENT|EACCES|EROFS/],
  ["a relative path", () => "tmp", /tmp is not an absolute path/],
  [
    "a folder with a link in place of the private one",
    () => {
      const place = folder("linked");
      symlinkSync(folder("target", 0o700), join(place, `pulumi-endpoint-monitoring-${user}`));
      return place;
    },
    /is not a folder/,
  ],
  [
    "a folder with a private folder that is open to others",
    () => {
      const place = folder("open");
      mkdirSync(join(place, `pulumi-endpoint-monitoring-${user}`));
      chmodSync(join(place, `pulumi-endpoint-monitoring-${user}`), 0o755);
      if (isRoot) chownSync(join(place, `pulumi-endpoint-monitoring-${user}`), user, user);
      return place;
    },
    /other users can access .* \(chmod 700/,
  ],
];
// Only root can create a folder of another user. test/provider/open-log.test.ts covers other users.
if (isRoot) {
  unfit.push(["a folder of another user", () => folder("foreign", 0o755, 34_567), /foreign belongs to another user/]);
}

/** Folders that the provider uses instead of the temporary folder. */
const alternatives: [name: string, env: () => NodeJS.ProcessEnv, place: () => string][] = [
  ["PULUMI_HOME", () => ({ PULUMI_HOME: folder("pulumi") }), () => join(root, "pulumi")],
  [
    "PULUMI_HOME that does not exist yet",
    () => ({ PULUMI_HOME: join(folder("home"), "new/pulumi") }),
    () => join(root, "home/new/pulumi"),
  ],
  ["HOME", () => ({ HOME: folder("home") }), () => join(root, "home/.pulumi")],
  [
    "the cache folder, because PULUMI_HOME is also unsuitable",
    () => ({ PULUMI_HOME: folder("pulumi", 0o777), XDG_CACHE_HOME: folder("cache") }),
    () => join(root, "cache"),
  ],
  ["the cache folder, because HOME is /", () => ({ HOME: "/", XDG_CACHE_HOME: folder("cache") }), () => join(root, "cache")],
  ["XDG_RUNTIME_DIR, without a home folder", () => ({ XDG_RUNTIME_DIR: folder("run", 0o700) }), () => join(root, "run")],
];

it.each(unfit)("the provider uses another suitable folder instead of %s", (_name, make, fault) => {
  const cases = alternatives.map(([name, env, place]) => {
    newRoot();
    // A user other than root cannot write to root's folders either.
    return { name, env: { TMPDIR: make(), ...env() }, path: inPlace(place()) };
  });
  newRoot();
  const without = { TMPDIR: make(), PULUMI_HOME: folder("pulumi", 0o777), HOME: folder("home", 0o555) };
  const answers = choices(...cases.map(({ env }) => env), without);
  const { error = "" } = answers.pop() ?? {};
  expect(answers.map((answer, at) => [alternatives[at]?.[0], answer])).toEqual(cases.map(({ name, path }) => [name, { path }]));
  // Without a suitable folder, the error names the fault of each folder.
  expect(error).toMatch(new RegExp(`TMPDIR: .*${fault.source}.*; PULUMI_HOME: .*pulumi.*; XDG_CACHE_HOME: .*home`));
  expect(error).toMatch(/\. Set XDG_RUNTIME_DIR to a folder that only you can write to$/);
});

it("an error reports a missing home folder if the user has neither an account nor HOME", () => {
  const [{ error = "" } = {}] = choices({ TMPDIR: folder("emptydir", 0o777) });
  const reason = "HOME is not set, and the user has no account on this machine";
  expect(error).toContain(`PULUMI_HOME: ${reason}; XDG_CACHE_HOME: ${reason}`);
});

it("the provider uses a suitable temporary folder without touching the home folder", () => {
  const [place, home] = [folder("tmp", 0o1777, isRoot ? 0 : user), folder("home")];
  const homes = [{}, { HOME: "/" }, { HOME: "/dev/null" }, { HOME: home }];
  expect(choices(...homes.map((env) => ({ TMPDIR: place, ...env })))).toEqual(homes.map(() => ({ path: inPlace(place) })));
  expect(() => rmSync(join(home, ".pulumi"))).toThrow("ENOENT");
  expect(() => rmSync(join(home, ".cache"))).toThrow("ENOENT");
});

it("the provider does not try the next folder after a temporary failure", () => {
  const env = { TMPDIR: folder("tmp"), PULUMI_HOME: folder("pulumi") };
  const blocker = join(root, "tmp", `pulumi-endpoint-monitoring-${process.getuid?.()}`);
  writeFileSync(blocker, "");
  const order: FolderCandidate[] = ["TMPDIR", "PULUMI_HOME"];
  if (isRoot) chownSync(env.TMPDIR, 0, 0);
  if (isRoot) chownSync(env.PULUMI_HOME, 0, 0);
  expect(privateFolder("work", order, env)).toContain("/pulumi/");
  const full = {
    ...env,
    get TMPDIR(): string {
      throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
    },
  };
  expect(() => privateFolder("work", order, full)).toThrow("no space left");
});
