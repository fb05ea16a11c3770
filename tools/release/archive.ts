import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, buildSync, type Metafile } from "esbuild";
import { packageName } from "../../sdk/token";
import type { NewFile } from "./pack";

/** A platform with Pulumi's name in archives, such as `linux-amd64`. */
export type Platform = `${"linux" | "darwin" | "windows"}-${"amd64" | "arm64"}`;

/** Returns the platform of this machine. @throws Error if the plugin does not support this platform */
export function thisPlatform(): Platform {
  const systems: Readonly<Record<string, string>> = { linux: "linux", darwin: "darwin", win32: "windows" };
  const processors: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };
  const [system, processor] = [systems[process.platform], processors[process.arch]];
  if (system === undefined || processor === undefined)
    throw new Error(`There are no archives for ${process.platform} on ${process.arch}.`);
  return `${system}-${processor}` as Platform;
}

/** Returns the archive name that the engine downloads. */
export function archiveName(version: string, platform: Platform): string {
  return `pulumi-resource-${packageName}-v${version}-${platform}.tar.gz`;
}

/** The plugin and its libraries in one file. */
export interface Bundle {
  readonly text: Buffer;
  /** Sorted folders of the bundled packages, relative to the repository. */
  readonly packages: readonly string[];
}

export async function bundle(repository: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: repository,
    entryPoints: ["dist/plugin/main.js"],
    bundle: true,
    platform: "node",
    target: "node22",
    format: "cjs",
    minifySyntax: true,
    minifyWhitespace: true,
    write: false,
    metafile: true,
    logLevel: "error",
    outfile: "plugin.js",
    plugins: [
      {
        name: "sdk-modules",
        setup: (builder) => {
          builder.onResolve({ filter: /^\.\/sdk-modules$/ }, () => ({ path: join(__dirname, "sdk-modules.cjs") }));
        },
      },
    ],
  });
  const [file] = outputFiles;
  if (!file) throw new Error("The bundler wrote nothing.");
  return { text: Buffer.from(file.contents), packages: packagesIn(metafile) };
}

function packagesIn({ inputs }: Metafile): string[] {
  const folders = Object.keys(inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].toSorted();
}

function firstFile(): Buffer {
  const { outputFiles } = buildSync({
    entryPoints: [join(__dirname, "main.cjs")],
    bundle: true,
    external: ["./plugin.js"],
    platform: "node",
    target: "node22",
    format: "cjs",
    write: false,
    logLevel: "error",
  });
  return Buffer.from(outputFiles[0]?.contents ?? []);
}

/** Returns the files of an archive for this machine's platform: the plugin, its schema, and the Node that runs this script. */
export function archiveFiles(repository: string, { text, packages }: Bundle, schema: string, manifest: object): NewFile[] {
  const repositoryFile = (path: string): Buffer => readFileSync(join(repository, path));
  const isWindows = process.platform === "win32";
  const executable = `pulumi-resource-${packageName}`;
  return [
    isWindows
      ? { name: `${executable}.exe`, content: launcher(), executable: true }
      : { name: executable, content: readFileSync(join(__dirname, executable)), executable: true },
    { name: isWindows ? "node.exe" : "node", content: readFileSync(process.execPath), executable: true },
    { name: "main.js", content: firstFile() },
    { name: "plugin.js", content: text },
    { name: "schema.json", content: Buffer.from(schema) },
    { name: "package.json", content: Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`) },
    { name: "LICENSE", content: repositoryFile("LICENSE") },
    { name: "THIRD-PARTY-LICENSES", content: Buffer.from(licenses(repository, packages)) },
  ];
}

/** Returns the launcher that an archive for Windows contains. Go compiles the launcher on any system. */
export function launcher(env: NodeJS.ProcessEnv = { GOOS: "windows" }): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "endpoint-monitoring-launcher-"));
  try {
    const file = join(folder, "launcher");
    const options = { cwd: join(__dirname, "launcher"), env: { ...process.env, CGO_ENABLED: "0", GOWORK: "off", ...env } };
    execFileSync("go", ["build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", file, "."], options);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface Library {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** Reads the package.json of a package. @param folder the package's folder, relative to the repository */
export function libraryIn(repository: string, folder: string): Library {
  return JSON.parse(readFileSync(join(repository, folder, "package.json"), "utf8")) as Library;
}

/** Returns the licenses of the packages in an archive. The license texts are included if the packages contain them. */
function licenses(repository: string, packages: readonly string[]): string {
  const ofNode = `Node.js ${process.versions.node}\n\nhttps://github.com/nodejs/node/blob/v${process.versions.node}/LICENSE\n`;
  const ofPackages = packages.map((folder) => {
    const { name, version, license = "" } = libraryIn(repository, folder);
    return `${name} ${version} (${license})\n\n${licenseText(join(repository, folder))}`;
  });
  return [ofNode, ...ofPackages].join(`\n${"-".repeat(80)}\n\n`);
}

function licenseText(folder: string): string {
  for (const name of ["LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE"]) {
    try {
      return readFileSync(join(folder, name), "utf8");
    } catch {
      // The license file does not exist under this name.
    }
  }
  return "The package has no file with the text of its license.\n";
}
