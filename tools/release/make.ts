/**
 * Makes the files of a release without publishing them: `npm run release -- --out FOLDER`. Requires `repository` in
 * package.json, and an earlier `npm run build`.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { absoluteLinks, schemaAddresses } from "./addresses";
import { archiveFiles, archiveName, bundle, libraryIn, thisPlatform } from "./archive";
import { billOfMaterials, checksums } from "./bill";
import { type Manifest, nativePackageFiles, type Words } from "./native-package";
import { pack, writeFiles } from "./pack";

const usage = `Usage: npm run release -- --out FOLDER [OPTIONS]

  --part NAME      packages (both of npm), archive (of this machine's platform), sdks, checksums; repeatable, default: all.
                   checksums are those of all files in the folder: made last, where the parts of several machines are together
  --language NAME  An SDK to make: python, go, dotnet or java; repeatable, default: all
  --home URL       Address of the repository; default: the one that package.json names
`;

const parts = ["packages", "archive", "sdks", "checksums"] as const;
type Part = (typeof parts)[number];

const repository = join(__dirname, "../..");

/** An error that the user can resolve. The error is printed without a stack trace. */
class ReleaseError extends Error {}

class Release {
  readonly #manifest: Manifest;
  readonly #schema: object & Words;

  constructor(
    private readonly out: string,
    home: string | undefined,
  ) {
    const manifest = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as Manifest;
    this.#manifest =
      home === undefined ? manifest : { ...manifest, homepage: `${home}#readme`, repository: { url: `git+${home}.git` } };
    const addresses = schemaAddresses(this.#manifest);
    if (!addresses)
      throw new ReleaseError("package.json names no repository: run `node .ci/repository.mjs` in a workflow, or give --home.");
    this.#schema = { ...(JSON.parse(readFileSync(join(repository, "plugin/schema.json"), "utf8")) as Words), ...addresses };
  }

  /** Makes the two npm packages, with the URLs of the release. */
  packages(): void {
    inTemporary((folder) => {
      npm(repository, "pack", "--silent", "--ignore-scripts", "--pack-destination", folder);
      const [packed = ""] = readdirSync(folder);
      execFileSync("tar", ["-xzf", packed], { cwd: folder });
      const packageFolder = join(folder, "package");
      const readme = join(packageFolder, "README.md");
      writeFileSync(join(packageFolder, "package.json"), json(this.#manifest));
      writeFileSync(join(packageFolder, "plugin/schema.json"), json(this.#schema));
      writeFileSync(readme, absoluteLinks(readFileSync(readme, "utf8"), this.#manifest));
      npm(packageFolder, "pack", "--silent", "--ignore-scripts", "--pack-destination", this.out);
      const native = join(folder, "native");
      const files = Object.entries(nativePackageFiles(this.#manifest, this.#schema));
      writeFiles(
        native,
        files.map(([name, content]) => ({ name, content })),
      );
      npm(native, "pack", "--silent", "--pack-destination", this.out);
    });
  }

  /** Makes the archive for this machine's platform and its bill of materials. */
  async archive(): Promise<void> {
    const bundled = await bundle(repository);
    const { name, version, license } = this.#manifest;
    const identity = { name, version, license };
    const file = archiveName(version, thisPlatform());
    inTemporary((folder) => {
      writeFiles(folder, archiveFiles(repository, bundled, json(this.#schema), identity));
      pack(folder, ["."], join(this.out, file));
    });
    const libraries = bundled.packages.map((folder) => libraryIn(repository, folder));
    const bill = billOfMaterials(
      { ...identity, name: "pulumi-resource-endpoint-monitoring" },
      libraries,
      process.versions.node,
    );
    writeFileSync(join(this.out, file.replace(/\.tar\.gz$/, ".cdx.json")), json(bill));
  }

  sdks(languages: readonly string[]): void {
    inTemporary((folder) => {
      const schema = join(folder, "schema.json");
      writeFileSync(schema, json(this.#schema));
      const sources = join(folder, "sdks");
      const args = [join(repository, "tools/docs/sdks.mjs"), "--schema", schema, "--out", sources, ...languages];
      execFileSync(process.execPath, args, { stdio: "inherit" });
      for (const language of readdirSync(sources)) {
        const file = `pulumi-endpoint-monitoring-${language}-sdk-v${this.#manifest.version}.tar.gz`;
        pack(sources, [language], join(this.out, file));
      }
    });
  }

  checksums(): void {
    const names = readdirSync(this.out).filter((name) => name !== "SHA256SUMS");
    const files = Object.fromEntries(names.map((name) => [name, readFileSync(join(this.out, name))]));
    writeFileSync(join(this.out, "SHA256SUMS"), checksums(files));
  }
}

const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;

function npm(cwd: string, ...args: string[]): void {
  // On Windows, npm is a script, which only a shell can start.
  execFileSync("npm", args, { cwd, stdio: ["ignore", "ignore", "inherit"], shell: process.platform === "win32" });
}

function inTemporary(work: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "endpoint-monitoring-release-"));
  try {
    work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function optionsOf(args: string[]): { out: string; home?: string; chosen: readonly Part[]; languages: readonly string[] } {
  const multiple = { type: "string", multiple: true } as const;
  const options = { out: { type: "string" }, home: { type: "string" }, part: multiple, language: multiple } as const;
  try {
    const { out, home, part = [], language: languages = [] } = parseArgs({ args, options }).values;
    const chosen = parts.filter((name) => part.length === 0 || part.includes(name));
    const strange = part.filter((name) => !parts.some((known) => known === name));
    if (out === undefined || strange.length > 0) throw new ReleaseError(usage);
    return { out: resolve(out), ...(home !== undefined && { home }), chosen, languages };
  } catch (error) {
    if (error instanceof ReleaseError) throw error;
    throw new ReleaseError(`${(error as Error).message}\n\n${usage}`, { cause: error });
  }
}

async function main(): Promise<void> {
  const { out, home, chosen, languages } = optionsOf(process.argv.slice(2));
  const needsBuild = chosen.some((part) => part !== "checksums");
  if (needsBuild && !existsSync(join(repository, "dist/plugin/main.js")))
    throw new ReleaseError("There is no build. Run `npm run build` first.");
  mkdirSync(out, { recursive: true });
  const release = new Release(out, home);
  for (const part of chosen) await release[part](languages);
  for (const name of readdirSync(out).toSorted()) console.log(join(out, name));
}

main().catch((error: unknown) => {
  console.error(error instanceof ReleaseError ? error.message : error);
  process.exitCode = 1;
});
