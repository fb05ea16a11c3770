/**
 * Builds the Pulumi engine with Go from the modules in go.mod and go.sum. The build works on networks that block the official
 * download. The build uses the sources of the official CLI.
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

/** Minimum version of Go that can download the toolchain that a go.mod requires. */
const FETCHES_TOOLCHAINS = "1.21.0";

const orElse = `or the Pulumi CLI, ${OLDEST_VERSION} or newer, and run this command again.`;

/** Fails early with a clear message if Go is missing or too old. Go's own error would come later. */
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

  const installed = /go(\d+\.\d+(?:\.\d+)?)/.exec(await ask("GOVERSION", { GOTOOLCHAIN: "local" }))?.[1];
  // An unreadable version is a development version, which Go itself has to judge.
  if (!installed || !isOlder(installed, wanted)) return;
  if (isOlder(installed, FETCHES_TOOLCHAINS) || (await ask("GOTOOLCHAIN")).startsWith("local")) {
    throw new EngineError(
      "go-too-old",
      `Go ${installed} is too old to build the engine. Install Go ${wanted} or newer, ${orElse}`,
    );
  }
  log(`Go ${installed} is older than ${wanted}, so Go downloads the newer version`);
}

/** Arguments of every build, so that all builds share compiled code. */
export const buildArguments = [
  "build",
  "-mod=readonly",
  "-buildvcs=false",
  "-trimpath",
  "-v",
  // The linker omits debugging data because of `-w`, so the compiler need not create the data.
  "-gcflags=all=-dwarf=false",
];

/**
 * Prepares a directory for builds with the engine's modules.
 * @param {{ work: string, env: NodeJS.ProcessEnv, log: import("./progress.mjs").Log }} options `work` is an empty directory.
 * @returns {Promise<(what: string, args: string[], handlers?: object) => Promise<void>>} Function that runs Go in `work`. `what`
 *   starts the message of an `EngineError`.
 */
export async function goIn({ work, env, log }) {
  const scratch = path.join(work, "scratch");
  fs.mkdirSync(scratch);
  const goEnv = {
    // Go needs no C compiler if cgo is disabled. Users can set another value.
    CGO_ENABLED: "0",
    // Less frequent garbage collection needs some hundred megabytes more, but saves a tenth of the time.
    GOGC: "400",
    // Go writes megabytes of temporary files into this folder, which is deleted even if this process is killed.
    GOTMPDIR: scratch,
    ...env,
    GOWORK: "off",
  };
  // The check comes before go.mod is copied, because an older Go would download another toolchain only to report its version.
  await checkGo({ cwd: work, env: goEnv, log });
  // Go may change these files, so the build uses copies.
  for (const name of ["go.mod", "go.sum"]) fs.copyFileSync(besideThis(name), path.join(work, name));

  return async (what, args, handlers) => {
    const { ok, tail } = await run("go", args, { cwd: work, env: goEnv, ...handlers });
    if (!ok) throw new EngineError("build-failed", `${what}: \`go ${args[0]}\` ended with\n  ${tail.join("\n  ")}`);
  };
}

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
