/** Checks every page of the package for a reader who has only the package. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { faultOf, isRelative, linksOf, pagesBelow, registryFiles } from "../support/markdown";
import { repository } from "../support/process";
import { installPackage } from "./support/installed";

let folder: string;
let root: string;
beforeAll(() => {
  folder = installPackage();
  root = join(folder, "node_modules/pulumi-endpoint-monitoring");
});

const linksBelow = (where: string) => pagesBelow(where).flatMap((page) => linksOf(where, page));

it("the package contains the README, every page of docs/ and every example", () => {
  const published = ["README.md", "docs/**/*.md", "examples/**"];
  const files = globSync(published, { cwd: repository, withFileTypes: true }).filter((entry) => entry.isFile());
  const sources = files
    .map((entry) => relative(repository, join(entry.parentPath, entry.name)))
    // Files of a local stack and a local installation.
    .filter((path) => !/\/Pulumi\.[^/]+\.yaml$|\/node_modules\//.test(path) && !registryFiles.includes(path));
  const packed = new Set(globSync("**/*", { cwd: root }));
  expect(sources.filter((file) => !packed.has(file))).toEqual([]);
  expect(sources.length).toBeGreaterThan(35);
});

it("every link in the package leads to an existing file and heading", () => {
  const links = linksBelow(root).filter((link) => isRelative(link));
  expect(links.flatMap((link) => faultOf(root, link) ?? [])).toEqual([]);
  expect(links.length).toBeGreaterThan(45);
});

it("every link in the repository leads to an existing file and heading", () => {
  const links = linksBelow(repository).filter((link) => isRelative(link) && !link.page.startsWith("test/fixtures/"));
  expect(links.flatMap((link) => faultOf(repository, link) ?? [])).toEqual([]);
});

it("links to other sites use HTTPS", () => {
  const links = linksBelow(root).filter((link) => !isRelative(link));
  expect(links.filter(({ target }) => !target.startsWith("https://"))).toEqual([]);
});

it("every page is reachable by links from the README", () => {
  const reached = new Set<string>();
  const follow = (page: string): void => {
    if (reached.has(page)) return;
    reached.add(page);
    for (const link of linksOf(root, page).filter((candidate) => isRelative(candidate))) {
      const file = join(dirname(page), link.target.replace(/#.*/, ""));
      // A folder, or a file in it, counts as the folder's README.
      const next = file.endsWith(".md") ? [file] : [join(file, "README.md"), join(dirname(file), "README.md")];
      for (const target of next) if (existsSync(join(root, target))) follow(target);
    }
  };
  follow("README.md");
  expect(pagesBelow(root).filter((page) => !reached.has(page))).toEqual([]);
});

it("the package contains no development scripts and no large pictures", () => {
  const files = globSync("**/*", { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => relative(root, join(entry.parentPath, entry.name)));
  expect(paths.filter((path) => /\.(?:mjs|cjs|map)$/.test(path) && !path.startsWith("examples/"))).toEqual([]);
  const pictures = paths.filter((path) => /\.(?:png|svg)$/.test(path));
  expect(pictures.filter((path) => readFileSync(join(root, path)).length > 150_000)).toEqual([]);
});
