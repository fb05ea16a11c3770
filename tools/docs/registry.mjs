/**
 * The pages of Pulumi's registry, which takes them from `docs/` of the release's commit: `_index.md` and `installation-configuration.md`.
 * `npm run generate` writes them. Their program is `tools/docs/registry/Pulumi.yaml`, which Pulumi's own converter turned into the other
 * languages: `node tools/docs/registry.mjs --convert` does it again, on a machine that has the CLI with its language hosts.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensureEngine } from "../engine/ensure.mjs";
import { run } from "../engine/processes.mjs";
import { logTo } from "../engine/progress.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const folder = join(root, "tools/docs/registry");

/** The pages, for readers of the registry alone: what lists or shows all pages of docs/ leaves them out. */
export const registryFiles = ["docs/_index.md", "docs/installation-configuration.md"];

/** The languages of the program: how the registry and its highlighter call them, how guides do, and where the
 * converter writes the program. Guides have a program in TypeScript of their own. */
export const languages = {
  typescript: { file: "index.ts" },
  python: { title: "Python", file: "__main__.py" },
  go: { title: "Go", file: "main.go" },
  csharp: { title: "C#", file: "Program.cs" },
  java: {
    title: "Java",
    file: "App.java",
    converted: "src/main/java/generated_program/App.java",
    // An output is no list of one for Java, which the converter does not know: its program would not compile.
    correct: (text) =>
      text
        .replace(".tagIds(office.id())", ".tagIds(office.id().applyValue(List::of))")
        .replace("import java.util.ArrayList;", "import java.util.List;"),
  },
  yaml: { title: "YAML", file: "Pulumi.yaml" },
};

const program = (file) => readFileSync(join(folder, file), "utf8").trim();

const chooser = () => `{{< chooser language "${Object.keys(languages).join(",")}" >}}
${Object.entries(languages)
  .map(
    ([name, { file }]) => `{{% choosable language ${name} %}}\n\n\`\`\`${name}\n${program(file)}\n\`\`\`\n\n{{% /choosable %}}`,
  )
  .join("\n")}
{{< /chooser >}}`;

/** The guide that shows the program, too: a forge has a part to open for each language, and the site a tab. */
export function withLanguages(guide) {
  const parts = Object.entries(languages)
    .filter(([, { title }]) => title !== undefined)
    .map(
      ([name, { title, file }]) =>
        `<details name="language">\n<summary>${title}</summary>\n\n\`\`\`${name}\n${program(file)}\n\`\`\`\n\n</details>`,
    );
  return guide.replace(
    /(<!-- Other languages, .*-->\n)[^]*(?=<!-- End of other languages)/,
    (_, start) => `${start}\n${parts.join("\n\n")}\n\n`,
  );
}

const headOf = (title, meaning) => `---
# Written by \`npm run generate\` from tools/docs/registry.mjs.
title: ${title}
meta_desc: ${meaning}
layout: package
---
`;

/**
 * The text of each page, by its name.
 *
 * @param schema of the plugin; a release's has addresses, to which the pages then lead
 */
export function registryPages(schema, { settings, table }) {
  const { displayName, version, name, homepage, pluginDownloadURL, language } = schema;
  const release = homepage === undefined ? "the release" : `[the release](${homepage}/releases/tag/v${version})`;
  const server = pluginDownloadURL === undefined ? " --server URL" : ` --server '${pluginDownloadURL}'`;
  const linked = (text, path) => (homepage === undefined ? text : `[${text}](${homepage}/blob/v${version}/${path})`);
  const { nodejs, python, csharp } = language;
  const add = `pulumi package add ${name}@${version}${server}`;
  const index = `${headOf(displayName, "Tags, labels, tests and agents of ThousandEyes endpoint monitoring as Pulumi resources.")}
The ${displayName} provider manages ThousandEyes endpoint monitoring as code: tags and labels of agents, scheduled tests, instant tests and
the agents themselves. A preview reports which agents a change reaches, and drift is found and reconciled in CI.

## Example

A tag, a test of the network path from its agents to a server, and a test of a page that asks for a password:

${chooser()}

## How to

### Bring existing records under management

\`pulumi import\` writes the code of a record that was created in the UI, and \`npx endpoint-monitoring import\` of the npm package that of all of them:

\`\`\`sh
pulumi import ${name}:index:Label office 400000000000001
\`\`\`

### Choose the agents of a test

Set \`agentSelectorType\` to \`agent-tags\` and name tags in \`tagIds\`, or to \`agent-labels\` and name labels, which the service deprecates, in
\`endpointAgentLabels\`. Agents join and leave a tag by themselves, and the test follows.

### See what a change does before it happens

\`pulumi preview\` reports for each label, tag and test how many agents it gains and loses, and why a test is replaced, which ends the history of
its results. ${linked("Reviews, drift and rehearsals", "README.md")} come with the npm package \`pulumi-endpoint-monitoring\`.
`;
  const install = `${headOf(`${displayName} Installation & Configuration`, "How to install the Endpoint Monitoring provider for ThousandEyes, and how to configure its credentials.")}
## Installation

The SDKs are part of ${release}. These commands install them together with the plugin:

${table(
  ["Language", "Package", "Command"],
  [
    ["TypeScript, JavaScript", `\`${nodejs.packageName}\``, `\`npm install ${nodejs.packageName}\``],
    ["Python", `\`${python.packageName}\``, `\`${add}\``],
    ["Go", "`sdk/go/endpointmonitoring`", `\`${add}\``],
    ["C#", `\`Pulumi.${csharp.namespaces[name]}\``, `\`${add}\``],
    ["Java", "`com.pulumi.endpointmonitoring`", `\`${add}\``],
    ["YAML", "none", `\`${add}\``],
  ],
)}

URL is the address of the release's files, the \`pluginDownloadURL\` of its \`schema.json\`. This installs only the plugin, which brings its own Node:

\`\`\`sh
pulumi plugin install resource ${name} v${version}${server}
\`\`\`

## Credentials

The provider needs the base URL of the ThousandEyes API, and a token, or a client id and secret:

\`\`\`sh
pulumi config set ${name}:baseUrl https://api.thousandeyes.com
pulumi config set --secret ${name}:token
\`\`\`

Or in the environment:

\`\`\`sh
export ENDPOINT_MONITORING_BASE_URL=https://api.thousandeyes.com
export ENDPOINT_MONITORING_TOKEN=...
\`\`\`

Or in an environment of Pulumi ESC, which a stack names with \`environment:\` in its configuration:

\`\`\`yaml
values:
  pulumiConfig:
    ${name}:baseUrl: https://api.thousandeyes.com
    ${name}:token:
      fn::secret: ...
\`\`\`

## Configuration

${table(
  ["Configuration", "Environment", "Meaning"],
  Object.entries(settings).map(([key, { env, secret, meaning }]) => [
    `\`${name}:${key}\`${secret ? " (secret)" : ""}`,
    `\`${env}\``,
    meaning,
  ]),
)}
`;
  return { "_index.md": index, "installation-configuration.md": install };
}

/** Converts the program into the other languages. @param out takes the files @throws Error with what the converter printed */
async function convert(out) {
  const log = logTo(process.stderr);
  const engine = await ensureEngine({ log, env: process.env });
  const home = mkdtempSync(join(tmpdir(), "endpoint-monitoring-convert-"));
  // The schema comes from the plugin of this repository, and nothing is downloaded.
  // The host beside an engine that was built here converts nothing, so it comes after others.
  const others = process.env.PATH.split(delimiter).filter((one) => one !== engine.dir);
  const path = [join(root, "plugin"), dirname(process.execPath), ...others, engine.dir].join(delimiter);
  const env = {
    ...process.env,
    PATH: path,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  };
  try {
    for (const [name, { file, converted = file, correct = (text) => text }] of Object.entries(languages)) {
      if (name === "yaml") continue;
      const to = join(home, name);
      const args = ["convert", "--generate-only", "--from", "yaml", "--language", name, "--out", to];
      const { ok, tail } = await run(engine.pulumi, args, { cwd: folder, env });
      if (!ok) throw new Error(`pulumi ${args.join(" ")}: ${tail.join("\n")}`);
      mkdirSync(out, { recursive: true });
      writeFileSync(join(out, file), correct(readFileSync(join(to, converted), "utf8")));
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { convert: { type: "boolean" }, out: { type: "string", default: folder } } });
  if (values.convert) await convert(values.out);
  else console.error("`npm run generate` writes the pages; `node tools/docs/registry.mjs --convert` converts their program.");
}
