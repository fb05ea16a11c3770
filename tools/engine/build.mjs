/**
 * Builds the engine with Go from the modules in go.mod and go.sum, for networks with a Go module proxy and without the official download.
 * The sources are those of the official CLI, with the same version.
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

/** Older versions of Go cannot download the toolchain that a go.mod requires. */
const FETCHES_TOOLCHAINS = "1.21.0";

const orElse = `or the Pulumi CLI, ${OLDEST_VERSION} or newer, and run this again.`;

/** Fails early with a clear message if Go is missing or too old. Go itself would fail later. */
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
  // An unreadable version is a development version. Go decides.
  if (!found || !isOlder(found, wanted)) return;
  if (isOlder(found, FETCHES_TOOLCHAINS) || (await ask("GOTOOLCHAIN")).startsWith("local")) {
    throw new EngineError("go-too-old", `Go ${found} is too old to build the engine. Install Go ${wanted} or newer, ${orElse}`);
  }
  log(`Go ${found} is older than ${wanted}, which it will fetch for itself`);
}

/** Arguments of every build. Builds from the same sources then share compiled code. */
export const buildArguments = [
  "build",
  "-mod=readonly",
  "-buildvcs=false",
  "-trimpath",
  "-v",
  // The linker omits debugging data (-w), so the compiler need not create it.
  "-gcflags=all=-dwarf=false",
];

/**
 * Prepares a directory for builds with the engine's modules.
 * @param {{ work: string, env: NodeJS.ProcessEnv, log: import("./progress.mjs").Log }} options `work` is an empty directory.
 * @returns {Promise<(what: string, args: string[], handlers?: object) => Promise<void>>} A function that runs Go there. Both functions throw
 *   `EngineError`; `what` begins the message.
 */
export async function goIn({ work, env, log }) {
  const scratch = path.join(work, "scratch");
  fs.mkdirSync(scratch);
  const goEnv = {
    // Needs no C compiler, and links no C library of this machine. Users can override this.
    CGO_ENABLED: "0",
    // The compiler collects garbage less often. It needs some hundred megabytes more, and a tenth less time.
    GOGC: "400",
    // Megabytes of temporary files. They are deleted with the folder, even if this process is killed.
    GOTMPDIR: scratch,
    ...env,
    GOWORK: "off",
  };
  // Before the folder has a go.mod: with one, an older Go could download another toolchain to report its version.
  await checkGo({ cwd: work, env: goEnv, log });
  // Copies, as Go may write to these files, and the build must not change the checkout.
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
 * @returns {Promise<void>} Throws `EngineError`.
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
