/**
 * The demo's own folder: a copy of the example, a Pulumi home and a backend of its own. Nothing of the checkout or of
 * the user's Pulumi (login, stacks, settings) is used or changed.
 */
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";

/** The user's own settings of these families would lead the demo elsewhere. */
const foreign = /^(PULUMI|ENDPOINT_MONITORING)_/;
/** Files of an example that belong to whoever ran it there: settings of their stacks, packages. */
const personal = /^(Pulumi\..+\.yaml|node_modules)$/;

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Makes the folder.
 * @param {{ checkout: string, engine: import("../find.mjs").Engine, color: boolean }} options
 */
export function makeWorkspace({ checkout, engine, color }) {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "endpoint-monitoring-demo-")));
  const program = path.join(folder, "quickstart");
  const remove = () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    copyExample(checkout, program);
    for (const name of ["bin", "home", "backend", "tmp"]) fs.mkdirSync(path.join(folder, name));
    // A link rather than the directory of this Node, which may hold an older `pulumi`, too.
    fs.symlinkSync(process.execPath, path.join(folder, "bin", "node"));
    // As `npm install` puts it among a project's own commands.
    const command = path.join(checkout, "dist", "cli", "main.js");
    fs.writeFileSync(path.join(folder, "bin", "endpoint-monitoring"), `#!/bin/sh\nexec node ${quoted(command)} "$@"\n`, {
      mode: 0o755,
    });
  } catch (error) {
    remove();
    throw error;
  }

  const directories = [path.join(folder, "bin"), engine.dir];
  const settings = {
    PULUMI_HOME: path.join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${path.join(folder, "backend")}`,
    // Protects nothing but this throw-away stack.
    PULUMI_CONFIG_PASSPHRASE: "only-for-this-stack",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    ENDPOINT_MONITORING_READ_LAG: "0",
    // What compiling the program leaves behind goes with the folder, too.
    TMPDIR: path.join(folder, "tmp"),
  };
  const events = path.join(folder, "events.jsonl");
  // Everything goes over loopback, which is not for a proxy.
  const noProxy = [process.env.NO_PROXY ?? process.env.no_proxy, "127.0.0.1", "localhost"].filter(Boolean).join(",");
  const inherited = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  const env = {
    ...Object.fromEntries(inherited),
    ...settings,
    PATH: [...directories, process.env.PATH].join(path.delimiter),
    NO_PROXY: noProxy,
    no_proxy: noProxy,
    // Options of the engine given this way leave the commands as a user types them.
    PULUMI_OPTION_COLOR: color ? "always" : "never",
    // The engine's own account of what it did, as JSON: what the demo checks is no guess from printed text.
    PULUMI_OPTION_EVENT_LOG: events,
    PULUMI_DEBUG_COMMANDS: "1",
  };

  return {
    folder,
    program,
    /** Where the stack's state lies. */
    backend: path.join(folder, "backend"),
    events,
    env,
    remove,
    /** Writes what a shell needs to go on by hand, and a script that ends it all. */
    keep: (variables, pid) => {
      fs.rmSync(events, { force: true });
      write(path.join(folder, "env"), environmentFile({ ...settings, ...variables, NO_PROXY: noProxy }, directories));
      write(path.join(folder, "stop"), stopScript(folder, pid));
    },
  };
}

function copyExample(checkout, program) {
  const example = path.join(checkout, "examples", "quickstart");
  fs.cpSync(example, program, { recursive: true, filter: (file) => !personal.test(path.basename(file)) });

  // What `npm install` of a user makes: a package.json, and the two packages.
  const { name, version } = JSON.parse(fs.readFileSync(path.join(checkout, "package.json"), "utf8"));
  const sdk = createRequire(import.meta.url).resolve("@pulumi/pulumi/package.json");
  const dependencies = { "@pulumi/pulumi": JSON.parse(fs.readFileSync(sdk, "utf8")).version, [name]: version };
  write(path.join(program, "package.json"), JSON.stringify({ name: "quickstart", private: true, dependencies }, null, 2));
  fs.mkdirSync(path.join(program, "node_modules", "@pulumi"), { recursive: true });
  fs.symlinkSync(path.dirname(sdk), path.join(program, "node_modules", "@pulumi", "pulumi"));
  fs.symlinkSync(checkout, path.join(program, "node_modules", name));
}

function environmentFile(variables, directories) {
  const names = Object.keys(process.env).filter((name) => foreign.test(name) && !(name in variables));
  return [
    "# Settings of the demo's stack, for a shell that is done with yours.",
    ...names.map((name) => `unset ${name}`),
    ...Object.entries(variables).map(([name, value]) => `export ${name}=${quoted(value)}`),
    `export PATH=${quoted(directories.join(path.delimiter))}:"$PATH"`,
  ].join("\n");
}

function stopScript(folder, pid) {
  // By then the id may be another process's: the emulator has the folder in its command line.
  return [
    "# Ends the emulator of the demo and removes its folder.",
    `if ps -p ${pid} -o args= | grep -qF ${quoted(folder)}; then kill ${pid}; fi`,
    `rm -rf ${quoted(folder)}`,
  ].join("\n");
}

function write(file, text) {
  fs.writeFileSync(file, `${text}\n`);
}
