/**
 * Compares the permitted imports between modules, a table in CONTRIBUTING.md, with the sources and with the modules that a
 * process loads.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { importsOf, packageOf, publishedModules, repository, sourcesOf, type Import } from "../support/imports";

interface Module {
  /** Files and folders of other modules that the module may import. Imports inside a module are always allowed. */
  readonly modules?: readonly string[];
  /** Modules that it may import only as types. */
  readonly types?: readonly string[];
  /** Modules that it may load when a function is called. */
  readonly lazily?: readonly string[];
  /** Packages, or parts of them. */
  readonly packages?: readonly string[];
  /** Packages that it loads from the user's program and not from this package's dependencies. */
  readonly ofProgram?: readonly string[];
}

const modules: Record<string, Module> = {
  api: { packages: ["socks", "undici", "zod"] },
  provider: { modules: ["api"], packages: ["zod"] },
  sdk: {
    types: ["provider", "api"],
    lazily: ["api"],
    packages: ["@pulumi/pulumi"],
    // The path for the program. This module does not load it.
    ofProgram: ["pulumi-endpoint-monitoring/provider"],
  },
  // Errors, texts and files for every module above the provider.
  common: { packages: [] },
  // Runs the Pulumi CLI, and is the only reader of its output.
  engine: {
    modules: ["common", "api", "provider", "sdk/token"],
    types: ["typescript"],
    packages: ["yaml", "zod"],
  },
  // The changes of the next update, with findings and approvals.
  plan: { modules: ["common", "engine", "provider", "api", "sdk/token"], packages: ["zod"] },
  // Reads and writes TypeScript programs. The engine's rules determine a program's entry file.
  program: {
    modules: ["common", "provider", "sdk/token", "engine/program-entry"],
    packages: ["magic-string", "typescript", "yaml"],
  },
  cli: {
    modules: ["common", "engine", "plan", "program", "api", "provider", "emulator", "sdk/token"],
    types: ["typescript"],
    packages: ["yaml", "zod"],
    // `validate` runs the program with Pulumi's runner, and answers it in Pulumi's protocol.
    ofProgram: [
      "@pulumi/pulumi/cmd/run",
      "@pulumi/pulumi/package.json",
      "@grpc/grpc-js",
      "google-protobuf",
      "pulumi-endpoint-monitoring/package.json",
    ],
  },
  emulator: {
    modules: ["common", "api/schemas", "api/label-match", "api/tag-match", "api/agent-selection"],
    types: ["api/generated"],
    packages: ["zod"],
  },
  // The engine's protocol and gRPC come from the program's copy of the SDK.
  plugin: {
    modules: ["api", "provider", "sdk/token"],
    types: ["sdk/functions"],
    lazily: ["sdk/functions"],
    packages: ["@pulumi/pulumi/proto"],
    ofProgram: ["@pulumi/pulumi/package.json", "@grpc/grpc-js", "google-protobuf"],
  },
  // A tool for tests of programs. They may load the provider for its checks and defaults.
  testing: { modules: ["provider", "sdk"], packages: ["@pulumi/pulumi", "zod"] },
  // The review as policies: its rules, applied to the resources that the engine passes to a policy pack.
  policy: { modules: ["common", "engine", "plan", "provider", "api"], packages: ["@pulumi/pulumi"] },
  // Pulumi provides the host of dynamic resources and the program runner. The npm package `pulumi` provides the launcher.
  "tools/engine": {
    modules: ["dist", "package.json"],
    packages: [
      "@pulumi/pulumi/proto",
      "@pulumi/pulumi/cmd/dynamic-provider",
      "@pulumi/pulumi/cmd/run",
      "@pulumi/pulumi/cmd/run-policy-pack",
      "@pulumi/pulumi/package.json",
      "@grpc/grpc-js",
      "pulumi",
    ],
  },
};

const within = (target: string, allowed: readonly string[] = []): boolean =>
  allowed.some((prefix) => target === prefix || target.startsWith(`${prefix}/`));

function isAllowedPackage({ packages, ofProgram, types }: Module, target: string, typeOnly: boolean): boolean {
  return within(target, packages) || within(target, ofProgram) || (typeOnly && within(target, types));
}

function isAllowed(module: string, { target, internal, typeOnly, lazy }: Import): boolean {
  const rules = modules[module] ?? {};
  if (!internal) return target.startsWith("node:") || isAllowedPackage(rules, target, typeOnly);
  return (
    within(target, [module]) ||
    within(target, rules.modules) ||
    (typeOnly && within(target, rules.types)) ||
    (lazy && within(target, rules.lazily))
  );
}

describe.each(Object.keys(modules))("module %s", (module) => {
  const imports = sourcesOf(module).flatMap((file) => importsOf(file));

  test("the module imports only modules that the table in CONTRIBUTING.md permits", () => {
    expect(imports.length).toBeGreaterThan(0);
    const wrong = imports.filter((imported) => !isAllowed(module, imported));
    expect(wrong.map(({ file, target, typeOnly }) => `${file} imports ${typeOnly ? "types of " : ""}${target}`)).toEqual([]);
  });
});

test("the diagram in ARCHITECTURE.md shows exactly the imports between modules", () => {
  const text = readFileSync(join(repository, "ARCHITECTURE.md"), "utf8");
  const picture = /```mermaid\n(.*?)```/s.exec(text)?.[1] ?? "";
  const drawn = [...picture.matchAll(/^ {2}(\w+) (-->|-\. ".*" \.->) (\w+)$/gm)]
    .filter(([, from]) => from !== "code")
    .map(([, from, arrow, to]) => `${from} ${arrow === "-->" ? "loads" : "refers to"} ${to}`);
  const real = publishedModules.flatMap((module) => {
    const others = sourcesOf(module)
      .flatMap((file) => importsOf(file))
      .filter(({ internal, target }) => internal && !within(target, [module]));
    return publishedModules.flatMap((other) => {
      const crossing = others.filter(({ target }) => within(target, [other]));
      if (crossing.length === 0) return [];
      return [`${module} ${crossing.some(({ typeOnly, lazy }) => !typeOnly && !lazy) ? "loads" : "refers to"} ${other}`];
    });
  });
  expect(drawn.toSorted()).toEqual(real.toSorted());
});

test("the dependencies in package.json are exactly the packages that the code uses at run time", () => {
  const manifest = z
    .object({ dependencies: z.record(z.string(), z.string()), peerDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(repository, "package.json"), "utf8")));
  const used = publishedModules
    .flatMap((module) =>
      sourcesOf(module)
        .flatMap((file) => importsOf(file))
        .filter(({ target }) => !within(target, modules[module]?.ofProgram)),
    )
    .filter(({ internal, typeOnly, target }) => !internal && !typeOnly && !target.startsWith("node:"))
    .map(({ target }) => packageOf(target));
  const declared = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)];
  expect([...new Set(used)].toSorted()).toEqual(declared.toSorted());
});

test("the import check detects forbidden imports", () => {
  const source = `
    import * as pulumi from "@pulumi/pulumi";
    import type { Output } from "@pulumi/pulumi";
    import { type Kind, type Properties } from "../provider/kind";
    import { type Kind, registry } from "../provider/registry";
    import "../api";
    export * from "../api/errors.js";
    export type { Client } from "../api/client";
    import transport = require("../api/transport");
    type Lazy = typeof import("../provider/lifecycle");
    const eager = require("undici");
    const later = () => import("../api/index.js");
    async function call() { return (await import("../provider")).label; }
    import { label } from "./label";
    import fs from "node:fs";
    import path from "path";
    engine("@pulumi/pulumi/proto/language_pb.js");
    const other = requireFrom(there).resolve("@pulumi/pulumi/cmd/run");
  `;
  const imported = importsOf("sdk/sample.ts", source);
  expect(imported.filter((entry) => !isAllowed("sdk", entry)).map(({ target }) => target)).toEqual(
    ["../provider/registry", "../api", "../api/errors", "../api/transport", "undici", "../provider", "path"].map((target) =>
      target.replace("../", ""),
    ),
  );
  expect(imported.filter(({ typeOnly }) => typeOnly).map(({ target }) => target)).toEqual([
    "@pulumi/pulumi",
    "provider/kind",
    "api/client",
    "provider/lifecycle",
  ]);
  expect(imported.filter((entry) => !isAllowed("provider", entry)).map(({ target }) => target)).toContain("@pulumi/pulumi");
  expect(imported.filter((entry) => !isAllowed("emulator", entry)).map(({ target }) => target)).toContain("api/errors");
  expect(imported.map(({ target }) => target)).toContain("@pulumi/pulumi/cmd/run");
});
