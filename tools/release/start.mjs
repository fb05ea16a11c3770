/**
 * Starts the plugin from the archive in a folder, as the engine does: `node tools/release/start.mjs FOLDER`. CI runs this
 * script on each supported platform.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const require = createRequire(import.meta.url);
const { credentials } = require("@grpc/grpc-js");
const { ResourceProviderClient } = require("@pulumi/pulumi/proto/provider_grpc_pb.js");
const { Empty } = require("google-protobuf/google/protobuf/empty_pb.js");

const archives = resolve(process.argv[2] ?? ".");
const name = readdirSync(archives).find((file) => file.endsWith(".tar.gz") && file.startsWith("pulumi-resource-"));
if (name === undefined) throw new Error(`${archives} has no archive of the plugin.`);
const folder = mkdtempSync(join(tmpdir(), "endpoint-monitoring-start-"));
let child;
try {
  // Some versions of tar interpret a path with a drive letter as a host.
  execFileSync("tar", ["-xzf", name, "-C", folder], { cwd: archives });
  const executable = join(folder, `pulumi-resource-endpoint-monitoring${process.platform === "win32" ? ".exe" : ""}`);
  const begin = performance.now();
  child = spawn(executable, ["127.0.0.1:1"], { stdio: ["pipe", "pipe", "inherit"] });
  const port = await new Promise((done, failed) => {
    child.stdout.once("data", (chunk) => done(String(chunk).trim()));
    child.once("error", failed).once("close", (code) => failed(new Error(`The plugin exited with code ${code}.`)));
  });
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  const version = await new Promise((done, failed) => {
    client.getPluginInfo(new Empty(), (error, info) => (error ? failed(error) : done(info.getVersion())));
  });
  client.close();
  console.log(`${name}: version ${version}, first response after ${Math.round(performance.now() - begin)} ms`);
} finally {
  if (child?.kill()) await new Promise((done) => child.once("close", done));
  rmSync(folder, { recursive: true, force: true });
}
