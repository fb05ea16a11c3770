import { createHash } from "node:crypto";
import type { Library } from "./archive";

function component({ name, version, license }: Library): object {
  const path = name.startsWith("@") ? `%40${name.slice(1)}` : name;
  return {
    type: "library",
    "bom-ref": `pkg:npm/${path}@${version}`,
    name,
    version,
    ...(license !== undefined && { licenses: [{ expression: license }] }),
    purl: `pkg:npm/${path}@${version}`,
  };
}

export function billOfMaterials(plugin: Library, libraries: readonly Library[], node: string): object {
  const unique = [...new Map(libraries.map((library) => [`${library.name}@${library.version}`, library])).values()];
  const runtime = {
    type: "platform",
    "bom-ref": `pkg:generic/node@${node}`,
    name: "node",
    version: node,
    licenses: [{ license: { name: "Node.js license" } }],
    purl: `pkg:generic/node@${node}`,
  };
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { ...component(plugin), type: "application" } },
    components: [...unique.map(component), runtime],
  };
}

/** Returns the checksums of files in the format of `sha256sum --check`. */
export function checksums(files: Readonly<Record<string, Buffer>>): string {
  const names = Object.keys(files).toSorted();
  return names
    .map(
      (name) =>
        `${createHash("sha256")
          .update(files[name] ?? "")
          .digest("hex")}  ${name}\n`,
    )
    .join("");
}
