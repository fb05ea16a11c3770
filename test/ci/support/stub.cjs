/**
 * Stands in for our command, the engine and npm: writes down how it was called, and answers as the test says. A pipeline calls it as
 * `stub.cjs review …`, `stub.cjs pulumi up …`, `stub.cjs npm ci`; its first word finds the answer.
 */
const { execFileSync } = require("node:child_process");
const { appendFileSync, readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const args = process.argv.slice(2);
const isForge = args[0].endsWith("/forge.mjs");
if (!isForge) appendFileSync(join(__dirname, "calls.jsonl"), `${JSON.stringify(args)}\n`);
appendFileSync(join(__dirname, "environments.jsonl"), `${JSON.stringify({ args, env: process.env })}\n`);
const answers = JSON.parse(readFileSync(join(__dirname, "answers.json"), "utf8"));
const { code = 0, text = "", report, approval, accepted } = answers[args[0]] ?? {};
process.stdout.write(text);
const after = (option) => args[args.indexOf(option) + 1];
if (report !== undefined) writeFileSync(after("--markdown"), report);
if (approval !== undefined) writeFileSync(after("--approval"), approval);
// What was approved is shown as it arrives.
if (args.includes("--approved")) process.stdout.write(`approved: ${readFileSync(after("--approved"), "utf8")}\n`);
// What is accepted into the program, as a commit on the branch.
if (args.includes("--branch")) {
  const git = (...given) => execFileSync("git", given, { encoding: "utf8" }).trim();
  const blob = () => execFileSync("git", ["hash-object", "-w", "--stdin"], { encoding: "utf8", input: accepted }).trim();
  const branch = { isEmpty: accepted === undefined, changed: accepted !== undefined, isOurs: true, ...answers[args[0]].branch };
  if (branch.changed) {
    const before = git("for-each-ref", "--format=%(objectname)", `refs/remotes/origin/${after("--branch")}`) || "HEAD";
    git("update-index", "--add", "--cacheinfo", `100644,${blob()},accepted.ts`);
    branch.commit = git(
      "-c",
      "user.name=E",
      "-c",
      "user.email=e@localhost",
      "commit-tree",
      git("write-tree"),
      "-p",
      before,
      "-m",
      "Accept",
    );
    git("update-ref", `refs/heads/${after("--branch")}`, branch.commit);
    git("reset", "--quiet");
  }
  process.stdout.write(JSON.stringify({ data: { branch } }));
}
process.exitCode = code;
