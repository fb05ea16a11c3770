/**
 * Writes the URLs of the server and the repository that run this workflow into package.json. Forks and mirrors have other URLs, so
 * the file in the repository has none. npm shows the URLs, resolves the README's links with them, and accepts a provenance from
 * that repository only.
 */
import fs from "node:fs";

const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
const manifest = JSON.parse(fs.readFileSync("package.json", "utf8"));

if (!/^https:\/\/[^/]+$/.test(server ?? "") || !/^[\w.-]+\/[\w.-]+$/.test(name ?? "")) {
  console.error("GITHUB_SERVER_URL and GITHUB_REPOSITORY do not name a repository: run this in a GitHub workflow.");
  process.exitCode = 1;
} else {
  const home = `${server}/${name}`;
  const links = {
    homepage: `${home}#readme`,
    bugs: { url: `${home}/issues` },
    repository: { type: "git", url: `git+${home}.git` },
  };
  const differing = Object.keys(links).filter(
    (key) => key in manifest && JSON.stringify(manifest[key]) !== JSON.stringify(links[key]),
  );
  for (const key of differing) {
    console.error(`"${key}" of package.json is ${JSON.stringify(manifest[key])}, and this is ${home}. Delete it there.`);
    process.exitCode = 1;
  }
  if (differing.length === 0) fs.writeFileSync("package.json", `${JSON.stringify({ ...manifest, ...links }, undefined, 2)}\n`);
}
