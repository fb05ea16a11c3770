/**
 * Stands in for our command, the engine and npm: writes down how it was called, and answers as the test says. A pipeline calls it as
 * `stub.cjs review …`, `stub.cjs pulumi up …`, `stub.cjs npm ci`; its first word finds the answer.
 */
const { appendFileSync, readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const args = process.argv.slice(2);
appendFileSync(join(__dirname, "calls.jsonl"), `${JSON.stringify(args)}\n`);
const answers = JSON.parse(readFileSync(join(__dirname, "answers.json"), "utf8"));
const { code = 0, text = "", report } = answers[args[0]] ?? {};
process.stdout.write(text);
if (report !== undefined) writeFileSync(args[args.indexOf("--markdown") + 1], report);
process.exitCode = code;
