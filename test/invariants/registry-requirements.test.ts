/**
 * Checks the requirements of Pulumi's registry, from its check of community packages and its maintainers' checklist. This
 * suite tests each requirement, or tools/release/README.md lists it as a step for the owner of the names.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { type ClientSetting, settings } from "../../api/setting-names";
import { type Manifest, nativePackageFiles, nativePackageName, type Words } from "../../tools/release/native-package";
import { schemaAddresses } from "../../tools/release/addresses";
import { repository } from "../support/process";

interface Property {
  readonly type?: string;
  readonly items?: Property;
  readonly $ref?: string;
  readonly oneOf?: readonly Property[];
}
type Properties = Readonly<Record<string, Property>>;
interface Schema extends Words {
  readonly name: string;
  readonly version: string;
  readonly displayName: string;
  readonly description: string;
  readonly publisher: string;
  readonly keywords: readonly string[];
  readonly attribution?: string;
  readonly language: Readonly<Record<string, { readonly packageName?: string }>>;
  readonly resources: Readonly<Record<string, { readonly inputProperties: Properties; readonly requiredInputs: string[] }>>;
  readonly types: Readonly<
    Record<string, { readonly properties?: Properties; readonly enum?: { name: string; value: string }[] }>
  >;
}

const read = (path: string): string => readFileSync(join(repository, path), "utf8");
const schema = JSON.parse(read("plugin/schema.json")) as Schema;
const manifest = JSON.parse(read("package.json")) as Manifest;

/** The same commit with a repository in package.json, the only missing setting. */
const home = "https://github.com/owner/pulumi-endpoint-monitoring";
const located = { ...manifest, repository: { url: `git+${home}.git` } };
const released = { ...schema, ...schemaAddresses(located) };

const languages = ["typescript", "python", "go", "csharp", "java", "yaml"];
const pages = ["docs/_index.md", "docs/installation-configuration.md"];
const overview = read("docs/_index.md");
/** The overview's programs, by language. */
const programs = Object.fromEntries(
  Array.from(
    overview.matchAll(/\{\{% choosable language (\w+) %\}\}\n\n```\1\n([^]+?)\n```\n\n\{\{% \/choosable %\}\}/g),
    ([, language = "", text = ""]) => [language, text],
  ),
);

describe("the requirements of the Pulumi Registry", () => {
  it("the schema's name is the repository's name without the prefix pulumi-", () => {
    expect(`pulumi-${schema.name}`).toBe(manifest.name);
    expect(schema.name).toMatch(/^[a-z0-9-]+$/);
  });

  it("the schema's version is a semantic version and equals the version in package.json", () => {
    expect(schema.version).toBe(manifest.version);
    expect(schema.version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
  });

  it("the schema has a category, kind, title, description and publisher", () => {
    expect(schema.keywords.filter((word) => word.startsWith("category/"))).toEqual(["category/monitoring"]);
    expect(schema.keywords.filter((word) => word.startsWith("kind/"))).toEqual(["kind/native"]);
    expect(schema.attribution).toBeUndefined();
    for (const text of [schema.displayName, schema.description, schema.publisher])
      expect(text.trim().length).toBeGreaterThan(5);
  });

  it("the schema's URLs point to the repository in package.json", () => {
    expect(schemaAddresses(manifest)).toBeUndefined();
    expect(released).toMatchObject({ repository: home, pluginDownloadURL: `github://api.github.com/owner/${manifest.name}` });
    const logo = released.logoUrl?.replace(`${home}/raw/v${schema.version}/`, "") ?? "";
    expect(read(logo)).toMatch(/^<svg [^>]*viewBox/);
    // The check of community packages passes this value to a command.
    expect(released.pluginDownloadURL).toMatch(/^(https|github|gitlab):\/\/[A-Za-z0-9._~:/?#@!$&()*+,;=-]+$/);
  });

  it("the registry's pages exist and have front matter", () => {
    for (const page of pages) {
      const [, head = ""] = /^---\n([^]*?)\n---\n/.exec(read(page)) ?? [];
      const title = expect.stringMatching(/^Endpoint Monitoring/) as string;
      expect(parse(head)).toEqual({ title, meta_desc: expect.any(String) as string, layout: "package" });
    }
  });

  it("the overview has an example in each language", () => {
    expect(overview).toContain(`{{< chooser language "${languages.join(",")}" >}}`);
    expect(Object.keys(programs)).toEqual(languages);
  });

  it("the registry's pages contain no relative links", () => {
    const faults = pages.flatMap((page) =>
      [/<img[^>]+src=["'](\.|\/|[^hH])/, /!\[[^\]]*\]\((\.|\/)/, /<a[^>]+href="(\.|\/)/, /\]\((?!https?:\/\/)/]
        .filter((fault) => fault.test(read(page)))
        .map((fault) => `${page}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  it("the installation page names all SDK packages, the plugin version and all settings", () => {
    const page = read("docs/installation-configuration.md");
    expect(page).toContain(`pulumi plugin install resource ${schema.name} v${schema.version} --server URL`);
    const versions = Array.from(page.matchAll(/endpoint-monitoring[@ ]v?(\d+\.\d+\.\d+)/g), ([, version]) => version);
    expect(new Set(versions)).toEqual(new Set([schema.version]));
    for (const name of [
      nativePackageName,
      schema.language["python"]?.packageName,
      "sdk/go/endpointmonitoring",
      "Pulumi.EndpointMonitoring",
    ])
      expect(page).toContain(`\`${name}\``);
    for (const [name, { env, secret }] of Object.entries<ClientSetting>(settings))
      expect(page).toContain(`\`${schema.name}:${name}\`${secret ? " (secret)" : ""} | \`${env}\``);
  });

  it("schema, package and example use the same npm name", () => {
    expect(schema.language["nodejs"]?.packageName).toBe(nativePackageName);
    const nativeManifest = JSON.parse(nativePackageFiles(located, schema)["package.json"] ?? "") as {
      pulumi: { server: string; version: string };
    };
    expect(nativeManifest.pulumi).toMatchObject({ server: released.pluginDownloadURL, version: schema.version });
    expect(programs["typescript"]).toContain(`from "${nativePackageName}"`);
  });

  it("tools/release/README.md lists the remaining steps for the repository's owner", () => {
    const [, part = ""] = /## Steps for the owner of the names\n([^]*?)\n#/.exec(read("tools/release/README.md")) ?? [];
    const lines = part
      .split("\n")
      .flatMap((line) => /^\| ([^|]+?) \|/.exec(line)?.[1] ?? [])
      .slice(2);
    expect(lines).toEqual([
      "`repository` in package.json",
      "A release `vX.Y.Z`",
      "`pulumi-endpoint-monitoring` and `pulumi-endpoint-monitoring-native` on npm",
      "The Python SDK",
      "The Go SDK",
      "The .NET SDK",
      "The Java SDK",
      "An entry in the registry's package list",
    ]);
    expect(part).toContain('"schemaFile": "plugin/schema.json"');
    expect(existsSync(join(repository, "plugin/schema.json"))).toBe(true);
  });
});

describe("the program on the overview page", () => {
  interface Program {
    readonly resources: Readonly<Record<string, { type: string; properties: Readonly<Record<string, unknown>> }>>;
  }
  const program = parse(programs["yaml"] ?? "") as Program;

  /** The values of a property with an enumeration. */
  const wordsOf = ({ oneOf = [] }: Property): string[] =>
    oneOf.flatMap(({ $ref }) => schema.types[$ref?.replace("#/types/", "") ?? ""]?.enum?.map(({ value }) => value) ?? []);
  const membersOf = ({ items, $ref }: Property): Properties =>
    schema.types[(items?.$ref ?? $ref)?.replace("#/types/", "") ?? ""]?.properties ?? {};

  /** Returns the faults of an object: members and values that are not in the schema. */
  function faultsOf(path: string, value: Readonly<Record<string, unknown>>, known: Properties): string[] {
    return Object.entries(value).flatMap(([name, memberValue]) => {
      const property = known[name];
      const memberPath = `${path}.${name}`;
      if (!property) return [memberPath];
      const words = wordsOf(property);
      if (words.length > 0 && !words.includes(String(memberValue))) return [`${memberPath}: ${String(memberValue)}`];
      const items = Array.isArray(memberValue) ? memberValue : [memberValue];
      return items.flatMap((item: unknown) =>
        typeof item === "object" && item !== null
          ? faultsOf(memberPath, item as Record<string, unknown>, membersOf(property))
          : [],
      );
    });
  }

  it("the program uses only types, properties and values in the schema", () => {
    const all = Object.values(program.resources);
    const typeOf = (type: string) => schema.resources[type.replace(":", ":index:")];
    expect(all.flatMap(({ type, properties }) => faultsOf(type, properties, typeOf(type)?.inputProperties ?? {}))).toEqual([]);
    for (const { type, properties } of all)
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(typeOf(type)?.requiredInputs ?? [type]));
    expect(all).toHaveLength(3);
  });

  /** A name in the style of a language. */
  const spelling: Readonly<Record<string, (name: string) => string>> = {
    typescript: (name) => `${name}: `,
    python: (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    go: (name) => name.charAt(0).toUpperCase() + name.slice(1),
    csharp: (name) => `${name.charAt(0).toUpperCase()}${name.slice(1)} = `,
    java: (name) => `.${name}(`,
    yaml: (name) => `${name}:`,
  };

  it.each(languages)("the program declares the same resources in %s", (language) => {
    const text = programs[language] ?? "";
    for (const [name, { type, properties }] of Object.entries(program.resources)) {
      expect(text).toContain(language === "yaml" ? `type: ${type}` : type.replace(/^.*:/, ""));
      expect(text).toContain(language === "yaml" ? `${name}:` : `"${name}"`);
      for (const property of Object.keys(properties)) expect(text).toContain(spelling[language]?.(property));
      const texts = Object.values(properties).filter((value) => typeof value === "string" && /^https?:| /.test(value));
      for (const value of texts) expect(text).toContain(value);
    }
  });
});

it("the npm package omits the registry's pages", () => {
  const { files } = manifest as unknown as { files: string[] };
  for (const name of globSync(["docs/_index.md", "docs/installation-configuration.md"], { cwd: repository }))
    expect(files).toContain(`!${name}`);
});
