/** Node runs code from its compile cache instead of our files, so only the user may write to that cache. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { temporary } from "../support/temporary";

const genuine = `module.exports = "genuine"; // ${"x".repeat(3_000)}`;
const forged = genuine.replace('"genuine"', '"forged!"');

let folder: string;
let ours: string;
let victim: string;
/** A cache with forged code for the genuine file. */
let forgery: string;

function run(script: string, env: NodeJS.ProcessEnv): string {
  const { PATH } = process.env;
  return execFileSync(process.execPath, ["-e", script], { env: { PATH, HOME: folder, ...env }, encoding: "utf8" }).trim();
}

/** Finds the victim's entry by the size of its source in the header. The other entries belong to command-line scripts. */
function entryIn(cache: string): string {
  const paths = readdirSync(cache, { recursive: true, encoding: "utf8" }).map((path) => join(cache, path));
  return paths.find((path) => statSync(path).isFile() && readFileSync(path).readUInt32LE(4) === genuine.length) ?? "none";
}

beforeAll(() => {
  folder = temporary();
  ours = join(folder, "ours.js");
  buildSync({
    entryPoints: [join(__dirname, "../../provider/compile-cache.ts")],
    bundle: true,
    platform: "node",
    outfile: ours,
  });
  victim = join(folder, "victim.js");
  const filled = (text: string, name: string): string => {
    const cache = join(folder, name);
    writeFileSync(victim, text);
    expect(
      run(`require(${JSON.stringify(victim)}); require("module").flushCompileCache()`, { NODE_COMPILE_CACHE: cache }),
    ).toBe("");
    return cache;
  };
  forgery = filled(forged, "forgery");
  const ownFolder = filled(genuine, "own");
  // Copies the genuine header, with the size and digest of the source.
  const [header, entry] = [readFileSync(entryIn(ownFolder)), readFileSync(entryIn(forgery))];
  for (const at of [4, 12]) header.copy(entry, at, at, at + 4);
  writeFileSync(entryIn(forgery), entry);
});

const loads = (): string => `require(${JSON.stringify(ours)}); console.log(require(${JSON.stringify(victim)}))`;

test("Node runs a forged entry in the compile cache", () => {
  expect(run(`console.log(require(${JSON.stringify(victim)}))`, { NODE_COMPILE_CACHE: forgery })).toBe("forged!");
});

test("the compile cache is not in the shared temporary folder", () => {
  const shared = join(folder, "shared");
  cpSync(forgery, join(shared, "node-compile-cache"), { recursive: true });
  const before = `require("module").enableCompileCache(); console.log(require(${JSON.stringify(victim)}))`;
  expect(run(before, { TMPDIR: shared })).toBe("forged!");
  expect(run(loads(), { TMPDIR: shared })).toBe("genuine");
});

describe("the compile cache in the user's folder", () => {
  let place: string;
  let ownFolder: string;
  beforeEach(() => {
    place = mkdtempSync(join(folder, "home-"));
    ownFolder = join(place, `pulumi-endpoint-monitoring-${process.getuid?.()}`);
  });
  const load = (): string => run(loads(), { XDG_CACHE_HOME: place });
  /** Copies a forged entry into the cache without any other reason to reject the cache. */
  const plant = (at: string): void => {
    cpSync(forgery, join(at, "compiled"), { recursive: true });
    for (const path of [at, join(at, "compiled")]) chmodSync(path, 0o700);
  };

  test("only the owner can read and write the compile cache", () => {
    expect(load()).toBe("genuine");
    expect(entryIn(join(ownFolder, "compiled"))).toContain(join(ownFolder, "compiled"));
    for (const path of [ownFolder, join(ownFolder, "compiled")]) expect(statSync(path).mode & 0o777).toBe(0o700);
    // The same entry in that folder would run, but only its owner can put it there.
    plant(ownFolder);
    expect(load()).toBe("forged!");
  });

  test.each<[string, () => void]>([
    ["a folder that others can write", () => (plant(ownFolder), chmodSync(ownFolder, 0o777))],
    [
      "a cache that others can write",
      () => (mkdirSync(ownFolder, { mode: 0o700 }), plant(ownFolder), chmodSync(join(ownFolder, "compiled"), 0o777)),
    ],
    ["a link", () => (plant(join(folder, "elsewhere")), symlinkSync(join(folder, "elsewhere"), ownFolder))],
    [
      "a parent that others can write",
      () => (mkdirSync(ownFolder, { mode: 0o700 }), plant(ownFolder), chmodSync(place, 0o777)),
    ],
    ["a file", () => writeFileSync(ownFolder, "")],
  ])("the launcher does not use %s as its compile cache", (_, prepare) => {
    prepare();
    expect(load()).toBe("genuine");
  });

  test("the provider loads even if the folder for the compile cache is not writable", () => {
    renameSync(place, `${place}-gone`);
    writeFileSync(place, "");
    expect(load()).toBe("genuine");
  });
});
