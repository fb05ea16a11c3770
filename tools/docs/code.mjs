/**
 * Generates modules with facts about resource types for code that must not load the provider. The script reads the sources
 * instead of the build, because the class of a new resource type compiles only with these modules.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const width = 128;

/** Returns an assignment of a list of words, formatted as oxfmt formats it. */
function assigned(before, words, after) {
  const line = `${before}[${words.map((word) => `"${word}"`).join(", ")}]${after}`;
  const indent = /^ */.exec(before)[0];
  return line.length <= width
    ? line
    : `${before}[\n${words.map((word) => `${indent}  "${word}",\n`).join("")}${indent}]${after}`;
}

const header = (what) => `/** ${what} \`npm run generate\` writes this file from provider/registry.ts. */\n`;

/** Returns the facts about each resource type that the SDK's classes need. The classes must not load the provider. */
function classesModule(registry) {
  const entries = Object.values(registry).map((kind) => {
    const outputs = Object.keys({ ...kind.schema.shape, ...kind.outputSchema.shape }).filter(
      (name) => !kind.providerOptions.includes(name),
    );
    return `  ${kind.name}: {
    name: "${kind.name}",
${assigned("    outputs: ", outputs, ",")}
${assigned("    secrets: ", kind.secrets, ",")}
    origin: "${kind.origin ?? "none"}",
  },
`;
  });
  return `${header("Metadata of each resource type that the SDK's classes need.")}export const classes = {\n${entries.join("")}} as const;\n`;
}

function wordsModule(importedKinds) {
  const words = [...new Set(importedKinds.flatMap(({ group, word }) => [group, word]))];
  const onRequest = importedKinds.filter((kind) => kind.onRequest).map(({ word }) => word);
  return `${header("All words for resource types, as the command help lists them.")}${assigned("export const kindWords: readonly string[] = ", words, ";")}

/** Resource types that the import command skips unless an option with the same word requests them. */
${assigned("export const wordsOnRequest: readonly string[] = ", onRequest, ";")}
`;
}

/** Returns a module that exports each provider by name. The linker of ES modules needs export names before any code runs. */
function providersModule(registry) {
  const providers = Object.keys(registry).map((name) => `export const ${name}: object = host.provider(registry.${name});\n`);
  return `import "./compile-cache";
import { createHost } from "./dynamic";
import { registry } from "./registry";

/*
 * Pulumi's provider host loads the providers below by name. The state of every resource contains the name of its provider, so
 * the names never change. \`npm run generate\` writes this file from \`provider/registry.ts\`.
 */
const host = createHost();

${providers.join("")}`;
}

export function codeModules(registry, importedKinds) {
  return {
    "../sdk/generated/classes.ts": classesModule(registry),
    "../cli/generated/kind-words.ts": wordsModule(importedKinds),
    "../provider/index.ts": providersModule(registry),
  };
}

if (import.meta.main) {
  const folder = join(dirname(fileURLToPath(import.meta.url)), "../../docs");
  const require = createRequire(import.meta.url);
  require("../../test/setup/typescript.cjs");
  const { registry } = require("../../provider/registry.ts");
  const { importedKinds } = require("../../provider/imported-kinds.ts");
  for (const [name, text] of Object.entries(codeModules(registry, importedKinds))) {
    const path = join(folder, name);
    if (readFileSync(path, "utf8") !== text) writeFileSync(path, text);
  }
}
