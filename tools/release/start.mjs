/**
 * Starts the plugin of the archive in a folder, as the engine does, and prints what it costs: `node tools/release/start.mjs FOLDER`. The
 * workflow runs it on each platform that has an archive. Further arguments are executables of other providers, which start in turns with it.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const starts = 7;
/** Some providers end without the address of an engine; nothing is asked of it before there is something to print. */
const engineAddress = "127.0.0.1:1";
const require = createRequire(import.meta.url);
const { credentials } = require("@grpc/grpc-js");
const { ResourceProviderClient } = require("@pulumi/pulumi/proto/provider_grpc_pb.js");
const { Empty } = require("google-protobuf/google/protobuf/empty_pb.js");

/** Starts the plugin once. @returns its version, milliseconds until it answered, and the CPU time and memory that it took, on Linux */
async function startOnce(executable) {
  const begin = performance.now();
  const child = spawn(executable, [engineAddress], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((done) => child.once("close", done));
  try {
    const port = await new Promise((done, failed) => {
      child.stdout.once("data", (chunk) => done(String(chunk).trim()));
      child.once("error", failed);
      child.once("close", (code) => failed(new Error(`The plugin ended with ${code}.`)));
    });
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
    const version = await new Promise((done, failed) => {
      client.getPluginInfo(new Empty(), (error, info) => (error ? failed(error) : done(info.getVersion())));
    });
    const milliseconds = performance.now() - begin;
    client.close();
    const status = process.platform === "linux" ? readFileSync(`/proc/${child.pid}/status`, "utf8") : "";
    // In ticks of 10 ms.
    const [user = 0, system = 0] =
      process.platform === "linux" ? readFileSync(`/proc/${child.pid}/stat`, "utf8").split(" ").slice(13, 15).map(Number) : [];
    return {
      version,
      milliseconds,
      cpu: (user + system) * 10,
      megabytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024,
    };
  } finally {
    child.kill();
    await ended;
  }
}

const median = (values) => Math.round(values.toSorted((a, b) => a - b)[values.length >> 1]);
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

const [first = ".", ...others] = process.argv.slice(2);
const given = resolve(first);
const name = readdirSync(given).find((file) => file.endsWith(".tar.gz") && file.startsWith("pulumi-resource-"));
if (name === undefined) throw new Error(`There is no archive in ${given}.`);
const folder = mkdtempSync(join(tmpdir(), "endpoint-monitoring-start-"));
try {
  // A path with a drive letter is a host to some versions of tar.
  execFileSync("tar", ["-xzf", name, "-C", folder], { cwd: given });
  const executable = join(folder, `pulumi-resource-endpoint-monitoring${process.platform === "win32" ? ".exe" : ""}`);
  const bytes = readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
  console.log(`${name}: ${megabytes(statSync(join(given, name)).size)} MB packed, ${megabytes(bytes)} MB unpacked`);
  const measured = new Map([executable, ...others].map((one) => [one, []]));
  for (let count = 0; count < starts; count++) for (const [one, all] of measured) all.push(await startOnce(one));
  for (const [one, all] of measured) {
    const memory =
      process.platform === "linux"
        ? `, ${median(all.map((start) => start.cpu))} ms of CPU time, and ${median(all.map((start) => start.megabytes))} MB in memory then`
        : "";
    console.log(
      `${one === executable ? "this" : one}: version ${all[0].version}, ${median(all.map((start) => start.milliseconds))} ms from start to first answer${memory} (medians of ${starts})`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
