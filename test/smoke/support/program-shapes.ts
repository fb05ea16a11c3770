/**
 * The same program in the shapes of projects. Each declares labels with a wrong matchType in every place of a program, on both fronts.
 * A line with mistakes ends with their number (`//= 2`). The call that declares the label starts one line above.
 */
import { build } from "esbuild";
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { repository } from "../../support/process";

/** A program's files by path from the project's folder, and its start command. */
interface Shape {
  readonly files: Readonly<Record<string, string>>;
  readonly main: string;
  readonly module?: boolean;
  /** Options of the runtime in Pulumi.yaml. */
  readonly options?: Readonly<Record<string, string | boolean>>;
  /** The esbuild options that bundle `main` into `dist/`. */
  readonly bundle?: Readonly<Parameters<typeof build>[0]>;
  /** Packages of the workspace, by the path of the link from the root of the repository. */
  readonly links?: Readonly<Record<string, string>>;
}

const types = 'interface Row {\n  readonly name: string;\n}\nconst rows: Row[] = [{ name: "a" }, { name: "b" }];';
const label = (constructed: string, name: string, indent = ""): string =>
  `new ${constructed}(${name}, {\n${indent}  matchType: "nand", name: ${name}, filters: [] })`;
const bothFronts = (text: (front: string) => string): string => ["dynamic", "native"].map(text).join("\n");
const imports = `import { ComponentResource } from "@pulumi/pulumi";
import * as dynamic from "pulumi-endpoint-monitoring";
import * as native from "pulumi-endpoint-monitoring/native";
`;

/** A module with mistakes inside functions and classes. */
const places = `${imports}${types}
export function declare() {
${bothFronts((front) => `  ${label(`${front}.Label`, `"function-${front}"`)}; //= 1`)}
}
export class Floor {
  constructor() {
${bothFronts((front) => `    ${label(`${front}.Label`, `"class-${front}"`)}; //= 1`)}
  }
}
export class Office extends ComponentResource {
  constructor(name: string) {
    super("office:index:Office", name);
${bothFronts((front) => `    for (const row of rows) ${label(`${front}.Label`, `\`component-${front}-\${row.name}\``)}; //= 2`)}
  }
}
export async function later() {
  await new Promise((resolve) => setTimeout(resolve, 1));
${bothFronts((front) => `  ${label(`${front}.Label`, `"await-${front}"`)}; //= 1`)}
}
`;

/** The file that the engine starts. @param specifier the module with the mistakes */
const start = (specifier: string): string => `${imports}import { declare, Floor, later, Office } from "${specifier}";
${types}
${bothFronts((front) => `${label(`${front}.Label`, `"top-${front}"`)}; //= 1`)}
for (const row of rows) {
${bothFronts((front) => `  ${label(`${front}.Label`, `\`loop-${front}-\${row.name}\``)}; //= 2`)}
}
${bothFronts((front) => `rows.map((row) => ${label(`${front}.Label`, `\`arrow-${front}-\${row.name}\``)}); //= 2`)}
class Own extends dynamic.Label {}
${label("Own", '"own"')}; //= 1
declare();
new Floor();
new Office("office");
void later();
void ComponentResource;
`;

const afterAwait = (specifier: string): string =>
  start(specifier).replace("void later();", `await later();\n${label("dynamic.Label", '"last"')}; //= 1`);

/** The text without types; lines stay. */
const asJavaScript = (text: string): string =>
  text.replace(/interface[^}]*\}/, (block) => block.replace(/[^\n]/g, "")).replace(/: (Row\[\]|string)/g, "");

const asCommonJs = (text: string): string => {
  const names = [...text.matchAll(/^export (?:async )?(?:function|class) (\w+)/gm)].map(([, name]) => name);
  const required = asJavaScript(text).replace(/^import (?:\* as )?(.*) from (".*");$/gm, "const $1 = require($2);");
  return required.replace(/^export /gm, "") + (names.length > 0 ? `module.exports = { ${names.join(", ")} };\n` : "");
};

const typeScript = (specifier = "./lib/site.ts"): Shape["files"] => ({ "index.ts": start(specifier), "lib/site.ts": places });
const modules: Shape = {
  files: { "index.ts": afterAwait("./lib/site.ts"), "lib/site.ts": places },
  main: "index.ts",
  module: true,
};
const esModules: Shape = {
  files: { "index.js": asJavaScript(afterAwait("./lib/site.js")), "lib/site.js": asJavaScript(places) },
  main: "index.js",
  module: true,
};
const commonJs: Shape = {
  files: { "index.js": asCommonJs(start("./lib/site.js")), "lib/site.js": asCommonJs(places) },
  main: "index.js",
};
const compiled: Shape = { files: typeScript("./lib/site"), main: "index.ts" };
const bundled = (main: string, bundle: Shape["bundle"], shape: Partial<Shape> = {}): Shape => ({
  files: { "src/index.ts": start("./lib/site.ts"), "src/lib/site.ts": places },
  main,
  bundle: { bundle: true, platform: "node", packages: "external", sourcemap: true, ...bundle },
  ...shape,
});
const workspace = (link: string): Shape => ({
  files: { "index.ts": start("@office/sites"), "../packages/sites/site.ts": places },
  main: "index.ts",
  module: true,
  links: { [link]: "packages/sites" },
});

export const shapes: Readonly<Record<string, Shape>> = {
  CommonJS: { ...commonJs, options: { typescript: false } },
  "CommonJS with the engine's ts-node": commonJs,
  "ECMAScript modules": { ...esModules, options: { typescript: false } },
  "ECMAScript modules with the engine's ts-node": esModules,
  "TypeScript by the engine's ts-node": compiled,
  "TypeScript by Node, which strips types": { ...modules, options: { typescript: false } },
  "TypeScript by Node, as init writes projects": modules,
  "TypeScript by Node, which transforms types": { ...modules, options: { nodeargs: "--experimental-transform-types" } },
  "TypeScript modules by tsx": { ...modules, options: { nodeargs: "--import tsx" } },
  "TypeScript modules by tsx, without ts-node": { ...modules, options: { nodeargs: "--import tsx", typescript: false } },
  "TypeScript as CommonJS by tsx": { ...compiled, options: { nodeargs: "--import tsx", typescript: false } },
  "a bundle in CommonJS": bundled("dist/index.js", { format: "cjs" }),
  "a bundle in CommonJS, without ts-node": bundled("dist/index.js", { format: "cjs" }, { options: { typescript: false } }),
  "a bundle with this package in it": bundled("dist/index.js", {
    format: "cjs",
    packages: "bundle",
    external: ["@pulumi/*", "typescript"],
  }),
  "a bundle of modules": bundled("dist/index.mjs", { format: "esm", outExtension: { ".js": ".mjs" } }),
  "a minified bundle with the map inside, which Node reads": bundled(
    "dist/index.js",
    { format: "cjs", minify: true, keepNames: false, sourcemap: "inline" },
    { options: { nodeargs: "--enable-source-maps", typescript: false } },
  ),
  "an npm workspace": workspace("node_modules/@office/sites"),
  "a pnpm workspace": workspace("infra/node_modules/@office/sites"),
  "names with spaces, parentheses, # and letters of other alphabets": {
    files: { "büro (1)/start #1.ts": start("./ö 50% (b).ts").replace("./ö 50%", "./ö 50%25"), "büro (1)/ö 50% (b).ts": places },
    main: "büro (1)/start #1.ts",
    module: true,
  },
};

const plugin =
  "plugins:\n  providers:\n    - name: endpoint-monitoring\n      path: ./node_modules/pulumi-endpoint-monitoring/plugin\n";

/** Writes a program into a repository, whose project is in `infra/`. */
export async function writeShape(
  root: string,
  { files, main, module, options = {}, bundle, links = {} }: Shape,
): Promise<void> {
  rmSync(root, { recursive: true, force: true });
  const project = join(root, "infra");
  const modulesFolder = join(project, "node_modules");
  mkdirSync(join(root, ".git"), { recursive: true });
  mkdirSync(join(modulesFolder, "@pulumi"), { recursive: true });
  symlinkSync(repository, join(modulesFolder, "pulumi-endpoint-monitoring"));
  for (const name of ["@pulumi/pulumi", "typescript", "tsx"])
    symlinkSync(join(repository, "node_modules", name), join(modulesFolder, name));
  const runtime = Object.entries(options).map(([name, value]) => `    ${name}: ${JSON.stringify(value)}\n`);
  const all: Record<string, string> = {
    "package.json": JSON.stringify({ name: "office", ...(module && { type: "module" }) }),
    "Pulumi.yaml": `name: office\nmain: ${JSON.stringify(main)}\nruntime:\n  name: nodejs\n  options:\n    packagemanager: npm\n${runtime.join("")}${plugin}`,
    "Pulumi.dev.yaml": "config: {}\n",
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  for (const [link, target] of Object.entries(links)) {
    writeFileSync(join(root, target, "package.json"), '{ "name": "@office/sites", "type": "module", "exports": "./site.ts" }');
    mkdirSync(join(root, target, "node_modules"), { recursive: true });
    for (const name of readdirSync(modulesFolder))
      symlinkSync(join(modulesFolder, name), join(root, target, "node_modules", name));
    mkdirSync(dirname(join(root, link)), { recursive: true });
    symlinkSync(join(root, target), join(root, link));
  }
  if (bundle) await build({ absWorkingDir: project, entryPoints: ["src/index.ts"], outdir: "dist", ...bundle });
}

/** Returns the number of mistakes on each line of a repository's program, as `path:line` from the root. */
export function planted({ files }: Shape): Record<string, number> {
  const lines = Object.entries(files).flatMap(([path, text]) =>
    text
      .split("\n")
      .map((line, i) => [`${join("infra", path)}:${i + 1}`, Number(/\/\/= (\d+)$/.exec(line)?.[1] ?? 0)] as const),
  );
  return Object.fromEntries(lines.filter(([, count]) => count > 0));
}
