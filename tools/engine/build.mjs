/**
 * Builds the engine with Go, from the modules that go.mod and go.sum pin: the way to one where the official download
 * cannot be reached but a Go module proxy can. What is built is the CLI's own source with the version it reports.
 */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { EngineError } from "./errors.mjs";
import { ENGINE_VERSION, engineIn, isOlder, OLDEST_VERSION, versionOf } from "./find.mjs";
import { run } from "./processes.mjs";
import { withProgress } from "./progress.mjs";

const PACKAGE = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";
const VERSION_VARIABLE = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";
const besideThis = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Go before this one cannot fetch the toolchain that a go.mod asks for. */
const FETCHES_TOOLCHAINS = "1.21.0";

const orElse = `or the Pulumi CLI, ${OLDEST_VERSION} or newer, and run this again.`;

/** Fails early and clearly where Go is missing or cannot do it; its own message comes only after other work. */
async function checkGo({ cwd, env, log }) {
  const wanted = /^go (\S+)$/m.exec(fs.readFileSync(besideThis("go.mod"), "utf8"))[1];
  const ask = async (name, extra) => {
    const lines = [];
    const { ok, missing, tail } = await run("go", ["env", name], {
      cwd,
      env: { ...env, ...extra },
      onLine: () => {},
      onStdout: (line) => lines.push(line.trim()),
    });
    if (missing) {
      throw new EngineError(
        "no-go",
        `Go, which can build the engine, is not installed (no \`go\` on PATH). Install Go ${wanted} or newer, ${orElse}`,
      );
    }
    if (!ok) throw new EngineError("build-failed", `\`go env ${name}\` failed:\n${tail.join("\n")}`);
    return lines[0] ?? "";
  };

  const found = /go(\d+\.\d+(?:\.\d+)?)/.exec(await ask("GOVERSION", { GOTOOLCHAIN: "local" }))?.[1];
  // A version that we cannot read is a development one: let Go decide.
  if (!found || !isOlder(found, wanted)) return;
  if (isOlder(found, FETCHES_TOOLCHAINS) || (await ask("GOTOOLCHAIN")).startsWith("local")) {
    throw new EngineError("go-too-old", `Go ${found} is too old to build the engine. Install Go ${wanted} or newer, ${orElse}`);
  }
  log(`Go ${found} is older than ${wanted}, which it will fetch for itself`);
}

/** What every build is done with; what is built from the same sources is then compiled once. */
export const buildArguments = [
  "build",
  "-mod=readonly",
  "-buildvcs=false",
  "-trimpath",
  "-v",
  // What a debugger would need is left out by the linker (-w): it need not be made either.
  "-gcflags=all=-dwarf=false",
];

/**
 * Makes a directory one that Go builds in, by the engine's modules.
 * @param {{ work: string, env: NodeJS.ProcessEnv, log: import("./progress.mjs").Log }} options `work` is an empty directory.
 * @returns {Promise<(what: string, args: string[], handlers?: object) => Promise<void>>} Runs Go there. It and what it
 *   gives throw `EngineError` if it cannot be done; `what` begins the message.
 */
export async function goIn({ work, env, log }) {
  const scratch = path.join(work, "scratch");
  fs.mkdirSync(scratch);
  const goEnv = {
    // No C compiler needed, and no C library of this machine in the engine; who wants one says so.
    CGO_ENABLED: "0",
    // The compiler collects its garbage less often: it needs a few hundred megabytes more, and a tenth less time.
    GOGC: "400",
    // Megabytes of scratch that go with the folder, even if this process is killed.
    GOTMPDIR: scratch,
    ...env,
    GOWORK: "off",
  };
  // While the folder has no go.mod yet, which could send an older Go for another toolchain just to be asked.
  await checkGo({ cwd: work, env: goEnv, log });
  // Copies: Go may want to write to them, and a checkout is not ours to change.
  for (const name of ["go.mod", "go.sum"]) fs.copyFileSync(besideThis(name), path.join(work, name));

  return async (what, args, handlers) => {
    const { ok, tail } = await run("go", args, { cwd: work, env: goEnv, ...handlers });
    if (!ok) throw new EngineError("build-failed", `${what}: \`go ${args[0]}\` ended with\n  ${tail.join("\n  ")}`);
  };
}

/**
 * Builds the engine into the cache.
 * @param {{ root: string, work: string, env: NodeJS.ProcessEnv, log: import("./progress.mjs").Log }} options `work` is
 *   an empty directory on the file system of `root`.
 * @returns {Promise<void>} Throws `EngineError` if it cannot be done.
 */
export async function build({ root, work, env, log }) {
  const go = await goIn({ work, env, log });

  let modules = 0;
  let packages = 0;
  await withProgress(
    log,
    () => `Fetching the engine's source: ${modules} modules`,
    () =>
      go(
        "The Go modules of the engine could not be loaded. Check that Go can reach its module proxy (`go env GOPROXY`), " +
          `or install the Pulumi CLI, ${OLDEST_VERSION} or newer`,
        ["list", "-mod=readonly", "-deps", "-f", "{{.ImportPath}}", PACKAGE],
        { onLine: (line) => (modules += line.startsWith("go: downloading ") ? 1 : 0), onStdout: () => packages++ },
      ),
  );

  const made = path.join(work, path.basename(engineIn(root)));
  let compiled = 0;
  await withProgress(
    log,
    () => `Building the Pulumi engine ${ENGINE_VERSION} with Go: compiled ${compiled} of at most ${packages} packages`,
    () =>
      go(
        `The engine could not be built. Install the Pulumi CLI, ${OLDEST_VERSION} or newer, instead`,
        [...buildArguments, "-ldflags", `-s -w -X ${VERSION_VARIABLE}=v${ENGINE_VERSION}`, "-o", made, PACKAGE],
        { onLine: () => compiled++ },
      ),
  );

  if ((await versionOf(made, env)) !== ENGINE_VERSION) {
    throw new EngineError(
      "build-failed",
      "The engine was built but does not run here: is Go set to build for another system (`go env GOOS GOARCH`)?",
    );
  }
  fs.mkdirSync(path.dirname(engineIn(root)), { recursive: true });
  fs.renameSync(made, engineIn(root));
}
