/**
 * Refuses a release if tag, package and changelog have different versions: `node .ci/version.mjs v1.2.3`, in the root of the
 * repository. On GitHub the package also has to name the repository, since npm accepts a provenance from that repository only.
 */
import fs from "node:fs";

const [tag = ""] = process.argv.slice(2);
const { version, repository } = JSON.parse(fs.readFileSync("package.json", "utf8"));
const locked = JSON.parse(fs.readFileSync("package-lock.json", "utf8"));
const [, heading = "none"] = /^## (.+)$/m.exec(fs.readFileSync("CHANGELOG.md", "utf8")) ?? [];
const url = repository?.url ?? repository ?? "";
const home = process.env.GITHUB_REPOSITORY;

const problems = [
  [tag === `v${version}`, `The tag is ${tag || "missing"}, and package.json has version ${version}.`],
  [
    locked.version === version,
    `package-lock.json has version ${locked.version}, and package.json ${version}. Run npm install.`,
  ],
  // With a date or without.
  [
    heading.replace(/ \(\d{4}-\d{2}-\d{2}\)$/, "") === version,
    `The first heading of CHANGELOG.md is "${heading}", not "${version}" or "${version} (DATE)".`,
  ],
  [
    home === undefined || new RegExp(`[/:]${RegExp.escape(home)}(?:\\.git)?$`).test(url),
    `"repository" of package.json is ${url === "" ? "missing" : url}, and this is ${home}: npm refuses such a provenance.`,
  ],
].flatMap(([holds, problem]) => (holds ? [] : [problem]));

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
