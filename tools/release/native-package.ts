import { nameInNativeToken, packageName } from "../../sdk/token";
import { downloadsOf, homeOf, type Located } from "./addresses";

/** The parts of package.json that the native package contains. */
export interface Manifest extends Located {
  readonly name: string;
  readonly license: string;
  readonly author: string;
  readonly engines: object;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly homepage?: string;
  readonly bugs?: object;
}

/** The parts of the schema that the native package contains. Code from `pulumi import` uses the schema's names for property values. */
export interface Words {
  readonly types: Readonly<Record<string, { readonly enum?: readonly { readonly name: string; readonly value: string }[] }>>;
}

/** Name of the npm package for the native plugin. Pulumi's generators require a package name without a path. */
export const nativePackageName = "pulumi-endpoint-monitoring-native";

/**
 * Returns the files of the npm package for the native plugin. The package exports the classes of
 * `pulumi-endpoint-monitoring/native`. The package also contains the plugin's download URL, so programs need no plugin entry in
 * `Pulumi.yaml`.
 */
export function nativePackageFiles(manifest: Manifest, { types }: Words): Record<string, string> {
  const { name, version, license, author, engines, homepage, bugs, repository } = manifest;
  const [home, server] = [homeOf(manifest), downloadsOf(manifest)];
  const nativeManifest = {
    name: nativePackageName,
    version,
    description: "The classes of pulumi-endpoint-monitoring for its native plugin, which Pulumi downloads",
    keywords: ["endpoint-monitoring", "pulumi", "category/monitoring"],
    homepage,
    bugs,
    license,
    author,
    repository,
    files: ["index.js", "index.d.ts"],
    sideEffects: false,
    type: "commonjs",
    main: "index.js",
    types: "index.d.ts",
    dependencies: { [name]: version },
    peerDependencies: { "@pulumi/pulumi": manifest.peerDependencies["@pulumi/pulumi"] },
    engines,
    pulumi: { resource: true, name: packageName, version, ...(server !== undefined && { server }) },
  };
  const enums = Object.entries(types).flatMap(([token, { enum: words }]) => {
    const members = words?.map((word) => `${word.name}: ${JSON.stringify(word.value)}`).join(", ");
    return members === undefined ? [] : [{ name: nameInNativeToken(token) ?? "", members }];
  });
  const ofClasses = `"${name}/native"`;
  return {
    "package.json": `${JSON.stringify(nativeManifest, undefined, 2)}\n`,
    // Node finds the export names for ES modules only in this form.
    "index.js": [
      "function __exportStar(module) {\n  for (const name of Object.keys(module)) exports[name] = module[name];\n}",
      `__exportStar(require(${ofClasses}));`,
      ...enums.map((enumeration) => `exports.${enumeration.name} = { ${enumeration.members} };`),
      "",
    ].join("\n"),
    "index.d.ts": [
      `export * from ${ofClasses};`,
      ...enums.map(
        (enumeration) =>
          `export declare const ${enumeration.name}: { readonly ${enumeration.members.replaceAll(", ", "; readonly ")} };`,
      ),
      "",
    ].join("\n"),
    "README.md": `# ${nativePackageName}

The classes of ${home === undefined ? name : `[${name}](${home}#readme)`} for its native plugin. Pulumi downloads the plugin.

\`\`\`sh
npm install ${nativePackageName}
\`\`\`

\`\`\`ts
import { Label } from "${nativePackageName}";
\`\`\`
`,
  };
}
