/** The page that lists all pages: guides, classes and examples, by what their files begin with. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { registryFiles } from "./registry.mjs";
import { inSections } from "./sections.mjs";

/** Pages of the project. They are for several readers, so their first sentences are no summaries for this list. */
const project = [
  { title: "Contributing", path: "CONTRIBUTING.md", sentence: "Build, test and change the package." },
  {
    title: "Architecture",
    path: "ARCHITECTURE.md",
    sentence: "Find the module that does something, and where to begin a change.",
  },
  { title: "Security policy", path: "SECURITY.md", sentence: "Report a vulnerability." },
  { title: "Changes", path: "CHANGELOG.md", sentence: "See what each version can do." },
  {
    title: "Skill for coding agents",
    path: "skills/endpoint-monitoring/SKILL.md",
    sentence: "Give a coding agent the steps of a change.",
  },
];

/** The heading of a page, and the first sentence below it if that is text. */
export function beginningOf(text) {
  const [, title = "", rest = ""] = /^# (.+)\n+([\s\S]*)/m.exec(text) ?? [];
  const paragraph = rest.split("\n\n")[0].replaceAll("\n", " ");
  const [sentence = ""] = /^[^|#`<!-].*?\.(?= |$)/.exec(paragraph) ?? [];
  // Links lead from the page, not from this one.
  return { title, sentence: sentence.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1") };
}

/**
 * @param {string} root of the repository
 * @param {Record<string, string>} pages that are generated, by path from docs/: on disk they may be out of date, or missing
 */
export function contentsPage(root, pages, generated) {
  const texts = new Map(Object.entries(pages).map(([path, text]) => [join("docs", path), text]));
  const read = (path) => texts.get(path) ?? readFileSync(join(root, path), "utf8");
  const inFolder = (pattern, folder) => {
    const known = [...texts.keys()].filter((path) => folder.test(path));
    const isListed = (path) => path !== "docs/README.md" && !registryFiles.includes(path);
    return [...new Set([...globSync(pattern, { cwd: root }), ...known])].filter(isListed).toSorted();
  };
  const classes = inFolder("docs/reference/*.md", /^docs\/reference\/\w+\.md$/);
  const guides = inSections([...inFolder("docs/*.md", /^docs\/[\w-]+\.md$/), "docs/service/README.md"]);
  const sections = guides.map(([name, paths]) => [name, name === "Declare" ? [...paths, ...classes] : paths]);
  const all = [...sections, ["Examples", inFolder("examples/*/README.md", /^$/)]];
  const parts = all.map(([heading, paths]) => {
    const lines = paths
      .map((path) => ({ path: relative("docs", path), ...beginningOf(read(path)) }))
      .map(({ path, title, sentence }) => `- [${title}](${path})${sentence === "" ? "" : `: ${sentence}`}`);
    return `## ${heading}\n\n${lines.join("\n")}\n`;
  });
  const ofProject = project.filter(({ path }) => existsSync(join(root, path)));
  return `${generated}\n\n# Documentation\n\n${parts.join("\n")}
## Project

${ofProject.map(({ title, path, sentence }) => `- [${title}](../${path}): ${sentence}`).join("\n")}
`;
}
