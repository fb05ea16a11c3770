/**
 * What an operation of the engine costs, process by process: measuring functions that benchmarks share. They read /proc, so they run on
 * Linux alone.
 */
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "../..");

/** Milliseconds between two looks at the processes. What a process does after the last look before its end is missing from the figures. */
const lookIntervalMs = 20;
/** Ticks of a second in which the kernel counts CPU time. Linux shows 100 to every program. */
const ticksPerSecond = 100;

/** The processes of an operation, in the order of the tables. */
export const roles = ["engine", "language host", "program", "provider"];

/** Which of the processes a command line is; undefined for a helper, which counts as part of what started it. */
function roleOf(commandLine) {
  if (/pulumi-language-/.test(commandLine)) return "language host";
  if (/pulumi-resource-|dynamic-provider|plugin[/\\]main\.js/.test(commandLine)) return "provider";
  if (/pulumi[/\\]cmd[/\\]run/.test(commandLine)) return "program";
  return /^\S*pulumi\s/.test(commandLine) ? "engine" : undefined;
}

/** The parent of a process, and the seconds of CPU time that it used. @throws if it has ended */
export function statOf(pid) {
  const text = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name in parentheses may hold spaces.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { parent: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond };
}

/** Megabytes of memory of a process: the most so far, and now. @throws if it has ended */
export function memoryOf(pid) {
  const status = fs.readFileSync(`/proc/${pid}/status`, "utf8");
  const of = (field) => Number(new RegExp(`^${field}:\\s*(\\d+)`, "m").exec(status)?.[1] ?? 0) / 1024;
  return { most: of("VmHWM"), now: of("VmRSS") };
}

/** Follows a process and all that it starts, also what outlives its parent. */
function follow(rootPid) {
  const seen = new Map();
  const look = () => {
    const all = fs
      .readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
    const stats = new Map();
    for (const pid of all) {
      try {
        stats.set(pid, statOf(pid));
      } catch {
        // It has ended.
      }
    }
    for (let more = true; more;) {
      more = false;
      for (const [pid, { parent }] of stats) {
        if (seen.has(pid) || !(pid === rootPid || seen.has(parent))) continue;
        seen.set(pid, { role: seen.get(parent)?.role ?? "engine", seconds: 0, megabytes: 0 });
        more = true;
      }
    }
    for (const [pid, process_] of seen) {
      const stat = stats.get(pid);
      if (!stat) continue;
      try {
        process_.seconds = Math.max(process_.seconds, stat.seconds);
        process_.megabytes = Math.max(process_.megabytes, memoryOf(pid).most);
        process_.role = roleOf(fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")) ?? process_.role;
      } catch {
        // It ends, or has ended.
      }
    }
  };
  look();
  const timer = setInterval(look, lookIntervalMs);
  return () => {
    look();
    clearInterval(timer);
    return [...seen.values()];
  };
}

/**
 * Runs a command, and measures it and all that it starts.
 *
 * @returns its exit code, what it printed, elapsed seconds, and by role the seconds of CPU time and the peak of memory in megabytes
 */
export async function measure(command, args, options) {
  const begin = performance.now();
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const end = follow(child.pid);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  const processes = end();
  const seconds = Object.fromEntries(roles.map((role) => [role, 0]));
  const megabytes = { ...seconds };
  for (const { role, ...used } of processes) {
    seconds[role] += used.seconds;
    megabytes[role] = Math.max(megabytes[role], used.megabytes);
  }
  seconds.total = roles.reduce((sum, role) => sum + seconds[role], 0);
  return { code, output, elapsed: (performance.now() - begin) / 1000, seconds, megabytes };
}

/** The fronts, and the floor: dynamic resources whose provider does nothing. */
export const fronts = ["dynamic", "native", "floor"];

const plugin = "packages:\n  endpoint-monitoring: ./node_modules/pulumi-endpoint-monitoring/plugin\n";

/** Declares many tests. The floor has the same inputs. */
const programs = {
  dynamic: (count) => testsOf(count, `const { AgentToServerTest: Test } = require("pulumi-endpoint-monitoring");`),
  native: (count) => testsOf(count, `const { AgentToServerTest: Test } = require("pulumi-endpoint-monitoring/native");`),
  floor: (count) =>
    testsOf(
      count,
      `const { dynamic } = require("@pulumi/pulumi");
const provider = { create: async (inputs) => ({ id: inputs.testName, outs: inputs }) };
class Test extends dynamic.Resource {
  constructor(name, args) { super(provider, name, args); }
}`,
    ),
};

const testsOf = (count, head) => `${head}
for (let i = 0; i < ${count}; i += 1) new Test("test-" + i, { testName: "Test " + i, server: "vpn.example.com" });
`;

/** Makes a project with a program that declares so many resources. @returns its folder, which `remove` deletes */
export function projectOf(front, resources) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `benchmark-${front}-`));
  fs.mkdirSync(path.join(folder, "node_modules"));
  fs.mkdirSync(path.join(folder, "backend"));
  fs.symlinkSync(root, path.join(folder, "node_modules/pulumi-endpoint-monitoring"), "dir");
  fs.symlinkSync(path.join(root, "node_modules/@pulumi"), path.join(folder, "node_modules/@pulumi"), "dir");
  fs.writeFileSync(path.join(folder, "package.json"), '{ "main": "index.js" }\n');
  fs.writeFileSync(
    path.join(folder, "Pulumi.yaml"),
    `name: test\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n${front === "native" ? plugin : ""}`,
  );
  declare(folder, front, resources);
  return { folder, remove: () => fs.rmSync(folder, { recursive: true, force: true }) };
}

/** Writes the program anew, with so many resources. */
export function declare(folder, front, resources) {
  fs.writeFileSync(path.join(folder, "index.js"), programs[front](resources));
}

/** Environment in which the engine runs in a project without touching what the user has. */
export function environment(folder, engine) {
  return {
    ...process.env,
    PATH: [path.dirname(process.execPath), engine.dir, process.env.PATH].join(path.delimiter),
    PULUMI_HOME: path.join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${path.join(folder, "backend")}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    ENDPOINT_MONITORING_PREVIEW_REACH: "off",
  };
}

/** Runs the engine in a project. @throws if it fails */
export async function pulumi(folder, engine, args, env = {}) {
  const run = await measure(engine.pulumi, [...args, "--non-interactive"], {
    cwd: folder,
    env: { ...environment(folder, engine), ...env },
  });
  if (run.code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with ${run.code}:\n${run.output}`);
  return run;
}

export const mean = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
