/**
 * Builds the documentation site: the Markdown pages, the source files that they link to, and the API reference from the JSDoc.
 * `npm run docs:site` writes it to `site/`; `node tools/docs/site/build.mjs DIR` to another folder. It is static: any server, or none.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { beginningOf } from "../contents.mjs";
import { inSections } from "../sections.mjs";
import { Application, Converter, DocumentReflection, IndexEvent, LogLevel, PageEvent, ReflectionKind } from "typedoc";
import { registryFiles } from "../registry.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const out = resolve(process.argv[2] ?? join(root, "site"));

/** Pages by the heading that they have in the navigation, in its order. A new page in one of the folders needs no entry. */
const sections = inSections(globSync("docs/*.md", { cwd: root, exclude: ["docs/README.md", ...registryFiles] }));
const pages = {
  ...Object.fromEntries(sections.map(([name, paths]) => [name, name === "Declare" ? [...paths, "docs/reference/*.md"] : paths])),
  Service: ["docs/service/*.md"],
  Contents: ["docs/README.md"],
  Examples: ["examples/*/README.md"],
  Project: ["CHANGELOG.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md", "tools/acceptance/README.md", "emulator/DIFFERENCES.md"],
};

const { name: packageName, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** The exports of the package that programs import, by their source. Pulumi's host alone loads the provider. */
const modules = Object.fromEntries(
  Object.entries(exports)
    .filter(([name, { types }]) => types !== undefined && name !== "./provider")
    .map(([name, { types }]) => [types.replace("./dist/", "").replace(".d.ts", ".ts"), name.slice(1)]),
);

const languages = { ".ts": "ts", ".mjs": "js", ".js": "js", ".json": "json", ".yml": "yaml", ".yaml": "yaml", ".sh": "sh" };

/** Source files that pages link to: a browser would download them, so each becomes a page of its own. */
function linkedSources(files) {
  const linked = files.flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/\]\(([^)#\s]+)/g)].map(([, target]) => join(dirname(file), target)),
  );
  return [...new Set(linked)].filter((file) => extname(file) in languages && existsSync(join(root, file)));
}

const documents = new Map(
  Object.entries(pages).flatMap(([group, patterns]) =>
    patterns.flatMap((pattern) =>
      globSync(pattern, { cwd: root, exclude: registryFiles })
        .toSorted()
        .map((file) => [file, group]),
    ),
  ),
);
const sources = linkedSources(["README.md", ...documents.keys()]);

const app = await Application.bootstrap({
  name: packageName,
  entryPoints: Object.keys(modules).map((file) => join(root, file)),
  projectDocuments: [...documents.keys()].map((file) => join(root, file)),
  readme: join(root, "README.md"),
  tsconfig: join(root, "tsconfig.build.json"),
  customCss: join(root, "tools/docs/site/site.css"),
  customJs: join(root, "tools/docs/site/search.js"),
  favicon: join(root, "tools/docs/site/icon.svg"),
  out,
  // `npm run check` has compiled the sources.
  skipErrorChecking: true,
  excludeExternals: true,
  disableSources: true,
  hideGenerator: true,
  includeHierarchySummary: false,
  visibilityFilters: {},
  headings: { readme: false, document: false },
  navigation: { includeGroups: true },
  groupOrder: [...Object.keys(pages), "Commands", "Sources", "*"],
  sort: ["documents-first", "source-order"],
  searchInDocuments: true,
  // Guides come first, then the reference, then the rest.
  searchGroupBoosts: {
    ...Object.fromEntries(sections.map(([name]) => [name, { Reference: 1.5, Details: 0.5 }[name] ?? 3])),
    Commands: 1.5,
    Examples: 1,
    Project: 0.5,
    Service: 0.3,
  },
  // The name of a page, such as SECURITY.md, is no address of a host.
  markdownItOptions: { html: true, linkify: false },
  highlightLanguages: ["ts", "js", "json", "yaml", "sh", "console", "diff", "mermaid", "hcl", "python", "go", "csharp", "java"],
  validation: { notExported: false, invalidLink: true, invalidPath: true },
  logLevel: LogLevel.Warn,
});

app.converter.on(Converter.EVENT_CREATE_DECLARATION, (_context, reflection) => {
  if (!reflection.kindOf(ReflectionKind.Module)) return;
  const file = Object.keys(modules).find((name) => name.startsWith(reflection.name));
  reflection.name = `${packageName}${modules[file]}`;
});

app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => {
  const file = relative(root, document.project.files.getReflectionPath(document));
  document.frontmatter = { group: documents.get(file) };
  document.name = titleOf(file);
  // A link to a folder leads to its README.
  if (basename(file) === "README.md") document.project.files.registerReflectionPath(join(root, dirname(file)), document);
});

app.converter.on(Converter.EVENT_BEGIN, ({ project }) => {
  // The page of all commands has one of each: a search for a command finds it.
  for (const section of readFileSync(join(root, "docs/commands.md"), "utf8").split(/^## /m).slice(1)) {
    const name = section.slice(0, section.indexOf("\n"));
    const text = section.slice(name.length).trim();
    const content = [{ kind: "text", text: `# ${name}\n\n` }, { kind: "code", text }];
    const document = new DocumentReflection(name, project, content, { group: "Commands" });
    project.addChild(document);
    project.registerReflection(document, undefined, undefined);
  }
  for (const file of sources) {
    const code = `\`\`\`\`${languages[extname(file)]}\n${readFileSync(join(root, file), "utf8")}\`\`\`\``;
    const content = [{ kind: "text", text: `# ${file}\n\n` }, { kind: "code", text: code }];
    const document = new DocumentReflection(file, project, content, { group: "Sources" });
    project.addChild(document);
    project.registerReflection(document, undefined, join(root, file));
  }
});

/** The first heading of a page. */
function titleOf(file) {
  const [, title] = /^# (.+)$/m.exec(readFileSync(join(root, file), "utf8")) ?? [];
  return title?.replaceAll("`", "") ?? basename(file, ".md");
}

/** Long pages of types and figures: a search would find them for any word. */
const unsearched = new Set(["docs/README.md", "docs/records.md"].map((file) => titleOf(file)));

/** Whether the search knows a page: guides, reference pages, commands, examples, and the functions of the main module. */
function isSearched(reflection) {
  if (reflection.isDocument()) return !sources.includes(reflection.name) && !unsearched.has(reflection.name);
  return reflection.kindOf([ReflectionKind.Function, ReflectionKind.Variable]) && reflection.parent?.name === packageName;
}

app.renderer.on(IndexEvent.PREPARE_INDEX, (event) => {
  for (let at = event.searchResults.length - 1; at >= 0; at -= 1) if (!isSearched(event.searchResults[at])) event.removeResult(at);
  Object.assign(event.searchFieldWeights, { summary: 6, headings: 4, names: 4 });
  event.searchResults.forEach((reflection, at) => {
    if (reflection.isDocument()) event.searchFields[at] = searchFields(reflection.content.map((part) => part.text).join(""));
  });
});

/** The parts of a page that tell most about it: its first sentence, its headings, and the names that its tables explain. */
function searchFields(text) {
  const names = [...text.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name.replaceAll(/[^\w]+/g, " "));
  return { summary: beginningOf(text).sentence, headings: (text.match(/^##+ .*$/gm) ?? []).join(" "), names: names.join(" ") };
}

/** The description of a page that search engines show. */
function descriptionOf(model) {
  const text = model instanceof DocumentReflection ? model.content.map((part) => part.text).join("") : "";
  const about = beginningOf(text).sentence || `${model.name}: ThousandEyes endpoint monitoring as code, with Pulumi and TypeScript.`;
  return about.replaceAll("`", "").replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

// The theme has no landmarks for the text of a page and for its headings.
app.renderer.on(PageEvent.END, (page) => {
  page.contents = page.contents
    ?.replace('<div class="col-content">', '<div class="col-content" role="main">')
    .replace('<div class="page-menu">', '<div class="page-menu" role="navigation" aria-label="This page">')
    // It scrolls in itself, by the keys of a keyboard, too.
    .replaceAll("<table>", '<table tabindex="0">')
    .replace(/(<meta name="description" content=)"[^"]*"/, (_, start) => `${start}"${descriptionOf(page.model)}"`);
});

const project = await app.convert();
app.validate(project);
await app.generateOutputs(project);
useSearch(join(out, "assets/main.js"));

/** Has TypeDoc's page use the search of search.js. @throws Error if TypeDoc's code is another one */
function useSearch(file) {
  const replacements = [
    ['let a=i.split(" ").map(c=>c.length?`*${c}*`:"").join(" ");s=r.index.search(a).filter(', "s=siteSearch(r.index,r.data.rows,i).filter("],
    ["l.name.toLowerCase().startsWith(i.toLowerCase())&&(d*=10/(1+Math.abs(l.name.length-i.length))),", ""],
  ];
  const text = readFileSync(file, "utf8");
  for (const [before] of replacements) if (!text.includes(before)) throw new Error(`TypeDoc's search has no ${before}`);
  writeFileSync(file, replacements.reduce((code, [before, after]) => code.replace(before, () => after), text));
}
if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exitCode = 1;
else console.log(`${documents.size + sources.length} pages and the API reference: ${join(out, "index.html")}`);
