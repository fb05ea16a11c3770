import { packageName } from "../sdk/token";
import { downloadsOf, homeOf, type Located } from "./addresses";

/** The parts of package.json that the package of the native front repeats. */
export interface Manifest extends Located {
  readonly name: string;
  readonly license: string;
  readonly author: string;
  readonly engines: object;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly homepage?: string;
  readonly bugs?: object;
}

/** Name of the npm package of the native front: Pulumi's generators take the name of a package, not a path in one. */
export const nativePackageName = "pulumi-endpoint-monitoring-native";

/**
 * Returns the files of the npm package of the native front. It has the classes of `pulumi-endpoint-monitoring/native`, and tells Pulumi
 * from where to download the plugin: a program that depends on it needs no line in `Pulumi.yaml`.
 */
export function nativePackageFiles(manifest: Manifest): Record<string, string> {
  const { name, version, license, author, engines, homepage, bugs, repository } = manifest;
  const [home, server] = [homeOf(manifest), downloadsOf(manifest)];
  const own = {
    name: nativePackageName,
    version,
    description: "The native front of pulumi-endpoint-monitoring, whose plugin Pulumi downloads",
    keywords: ["endpoint-monitoring", "pulumi", "category/monitoring"],
    homepage,
    bugs,
    license,
    author,
    repository,
    files: ["index.js", "index.d.ts"],
    type: "commonjs",
    main: "index.js",
    types: "index.d.ts",
    dependencies: { [name]: version },
    peerDependencies: { "@pulumi/pulumi": manifest.peerDependencies["@pulumi/pulumi"] },
    engines,
    pulumi: { resource: true, name: packageName, version, ...(server !== undefined && { server }) },
  };
  return {
    "package.json": `${JSON.stringify(own, undefined, 2)}\n`,
    "index.js": `module.exports = require("${name}/native");\n`,
    "index.d.ts": `export * from "${name}/native";\n`,
    "README.md": `# ${nativePackageName}

The native front of ${home === undefined ? name : `[${name}](${home}#readme)`}: the same classes, over a plugin that Pulumi downloads by itself.

\`\`\`sh
npm install ${nativePackageName}
\`\`\`

\`\`\`ts
import { Label } from "${nativePackageName}";
\`\`\`
`,
  };
}
