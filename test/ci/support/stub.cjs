/**
 * Stands in for our command, the engine and npm: writes down how it was called, and answers as the test says. A pipeline calls it as
 * `stub.cjs review …`, `stub.cjs pulumi up …`, `stub.cjs npm ci`; its first word finds the answer.
 */
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
// What is accepted is written into the program.
if (args.includes("--accept")) {
  const files = accepted === undefined ? [] : ["accepted.ts"];
  for (const file of files) writeFileSync(file, accepted);
  process.stdout.write(JSON.stringify({ data: { accepted: { files } } }));
}
process.exitCode = code;
