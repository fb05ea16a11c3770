/**
 * Stands in for the engine, npm, and the commands that a job of a pipeline runs: writes down how it was called, and answers as the test
 * says. It is called as `stub.cjs ci review`, which is ours until it calls another command, `stub.cjs pulumi up …`, `stub.cjs npm ci`; its
 * first word finds the response.
 */
const { appendFileSync, readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const cli = process.env.STUBBED_CLI;
const allArgs = process.argv.slice(2);
if (allArgs[0] === "ci") {
  const list = require(join(cli, "command/list.js"));
  const { runOf } = list;
  const invoke = async (line, io) => answer(line, io.env, io.stdout);
  list.runOf = (name) => (values, invocation) => runOf(name)(values, { ...invocation, invoke });
  require(join(cli, "main.js"));
} else {
  process.exitCode = answer(allArgs, process.env, process.stdout);
}

function answer(args, env, stdout) {
  appendFileSync(join(__dirname, "environments.jsonl"), `${JSON.stringify({ args, env })}\n`);
  appendFileSync(join(__dirname, "calls.jsonl"), `${JSON.stringify(args)}\n`);
  const answers = JSON.parse(readFileSync(join(__dirname, "answers.json"), "utf8"));
  const { code = 0, text = "", stderr = "", report, approval, accepted } = answers[args[0]] ?? {};
  stdout.write(text);
  process.stderr.write(stderr);
  const after = (option) => args[args.indexOf(option) + 1];
  if (report !== undefined) writeFileSync(after("--markdown"), report);
  if (approval !== undefined) writeFileSync(after("--approval"), approval);
  // What was approved is shown as it arrives.
  if (args.includes("--approved")) stdout.write(`approved: ${readFileSync(after("--approved"), "utf8")}\n`);
  // What is accepted is written into the program.
  if (args.includes("--accept")) {
    const files = accepted === undefined ? [] : ["accepted.ts"];
    for (const file of files) writeFileSync(file, accepted);
    stdout.write(JSON.stringify({ data: { accepted: { files } } }));
  }
  return code;
}
