/**
 * Generates the SDKs of other languages from `plugin/schema.json`: `npm run sdks -- [--out FOLDER] [--schema FILE]
 * [LANGUAGE…]`. By default, the SDKs of all languages are written to `sdks/`. The official CLI's language hosts contain the
 * generators. For Go and Python, the engine's Go module also contains a generator.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensureEngine } from "../engine/ensure.mjs";
import { ENGINE_VERSION, isExecutable } from "../engine/find.mjs";
import { run } from "../engine/processes.mjs";
import { logTo, withProgress } from "../engine/progress.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
/** Whether the engine's Go module can generate the SDK, by language. */
const languages = { python: true, go: true, dotnet: false, java: false };
const log = logTo(process.stderr);

/** An error that the user can resolve, such as a missing language host. */
class SdkError extends Error {}

async function must(what, command, args, options) {
  const { ok, missing, tail } = await withProgress(
    log,
    () => what,
    () => run(command, args, options),
  );
  if (missing) throw new SdkError(`there is no \`${command}\` on PATH`);
  if (!ok) throw new SdkError(`${command} failed: ${tail.join("\n")}`);
}

const executable = process.platform === "win32" ? ".exe" : "";
const hasHost = (language, path) =>
  path.split(delimiter).some((folder) => isExecutable(join(folder, `pulumi-language-${language}${executable}`)));

async function withHost({ schema, language, out }, env, engine) {
  if (language !== "dotnet")
    return must(
      `Generating the SDK of ${language}`,
      engine.pulumi,
      ["package", "gen-sdk", schema, "--language", language, "--out", out],
      { env },
    );
  // Without an icon in the schema, the .NET generator downloads an icon from the internet. The .NET generator also copies
  // examples in other languages, so this function removes all examples.
  const icon = readFileSync(join(root, "docs/pictures/emulator-light.png"));
  const server = createServer((_request, response) => response.setHeader("content-type", "image/png").end(icon));
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const folder = mkdtempSync(join(tmpdir(), "endpoint-monitoring-sdk-"));
  try {
    const withIcon = join(folder, "schema.json");
    const text = readFileSync(schema, "utf8").replaceAll(/(?:\\n)+\{\{% examples %\}\}.*?\{\{% \/examples %\}\}(?:\\n)*/g, "");
    writeFileSync(withIcon, JSON.stringify({ ...JSON.parse(text), logoUrl: `http://127.0.0.1:${server.address().port}/` }));
    await must(
      "Generating the SDK of dotnet",
      engine.pulumi,
      ["package", "gen-sdk", withIcon, "--language", language, "--out", out],
      { env },
    );
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Generates an SDK with the engine's Go module, in the version that tools/engine/go.mod pins. */
async function withGo({ schema, language, out }, env) {
  const folder = mkdtempSync(join(tmpdir(), "endpoint-monitoring-sdk-"));
  try {
    for (const name of ["tools/engine/go.mod", "tools/engine/go.sum", "tools/docs/sdks/main.go"])
      copyFileSync(join(root, name), join(folder, name.split("/").at(-1)));
    mkdirSync(join(out, language), { recursive: true });
    // The arguments are those of the engine's build, so that Go reuses its compiled code.
    const options = { cwd: folder, env: { CGO_ENABLED: "0", ...env, GOWORK: "off" } };
    await must(
      `Generating the SDK of ${language} with Go`,
      "go",
      ["run", "-mod=mod", ".", schema, language, join(out, language)],
      options,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Generates an SDK. @returns the name of the generator that succeeded */
async function generate({ schema, language, out }, env) {
  // An SDK of an earlier version may have files that this version lacks.
  rmSync(join(out, language), { recursive: true, force: true });
  const engine = await ensureEngine({ log, env });
  const path = `${engine.dir}${delimiter}${env.PATH ?? ""}`;
  if (hasHost(language, path)) {
    await withHost({ schema, language, out }, { ...env, PATH: path, PULUMI_SKIP_UPDATE_CHECK: "true" }, engine);
    return `pulumi-language-${language}`;
  }
  const missing = `pulumi-language-${language} is not on PATH: install the Pulumi CLI, ${ENGINE_VERSION} or newer, which brings it along`;
  if (!languages[language]) throw new SdkError(missing);
  await withGo({ schema, language, out }, env).catch((error) => {
    throw error instanceof SdkError
      ? new SdkError(`${missing}, or Go, with which it is generated otherwise (${error.message})`)
      : error;
  });
  return "Go";
}

async function main() {
  const { values, positionals } = parseArgs({
    options: {
      out: { type: "string", default: join(root, "sdks") },
      schema: { type: "string", default: join(root, "plugin/schema.json") },
    },
    allowPositionals: true,
  });
  const strange = positionals.filter((name) => !Object.hasOwn(languages, name));
  if (strange.length > 0)
    throw new SdkError(`Unknown language ${strange.join(", ")}. Expected: ${Object.keys(languages).join(", ")}.`);
  const [out, schema] = [resolve(values.out), resolve(values.schema)];
  for (const language of positionals.length > 0 ? positionals : Object.keys(languages)) {
    try {
      const how = await generate({ schema, language, out }, process.env);
      console.log(`${language}: ${join(out, language)} (generated by ${how})`);
    } catch (error) {
      if (!(error instanceof SdkError)) throw error;
      console.error(`${language}: not generated. ${error.message}`);
      process.exitCode = 1;
    }
  }
}

try {
  await main();
} catch (error) {
  if (!(error instanceof SdkError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
