/** Commands use the process only through their parameters, so that many commands can run in one process. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { repository, sourcesOf } from "../support/imports";

/** Properties of the whole process. Any file may read version and platform. */
const handedIn = new Set([
  "stdout",
  "stderr",
  "stdin",
  "env",
  "cwd",
  "chdir",
  "argv",
  "exitCode",
  "exit",
  "on",
  "once",
  "off",
  "addListener",
  "removeListener",
  "kill",
]);

/** Uses of the whole process: `process.env`, `process["env"]`, `console.log`, `import … from "node:process"`. */
function usesIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const uses: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) && /^(?:node:)?process$/.test(node.text)) uses.push(node.getText());
    if (ts.isIdentifier(node) && node.text === "console") uses.push(node.parent.getText());
    if (ts.isIdentifier(node) && node.text === "process" && !isAllowed(node.parent, node)) uses.push(node.parent.getText());
    ts.forEachChild(node, visit);
  };
  visit(source);
  return uses.map((use) => `${file}: ${use}`);
}

function isAllowed(parent: ts.Node, node: ts.Node): boolean {
  if (!ts.isPropertyAccessExpression(parent)) return false;
  return parent.expression === node ? !handedIn.has(parent.name.text) : true;
}

/** The command, and the guard that `dev` starts as a process. No other file loads them. */
const ofOwnProcesses = new Set(["cli/main.ts", "cli/commands/dev/guard.ts"]);

it("only files that run as their own process use process globals", () => {
  const files = sourcesOf("cli").filter((file) => !ofOwnProcesses.has(file));
  expect(files.length).toBeGreaterThan(80);
  expect(files.flatMap((file) => usesIn(file, readFileSync(join(repository, file), "utf8")))).toEqual([]);
});

it("the check for process globals finds every way to access a process global", () => {
  const uses = usesIn(
    "a.ts",
    `process.env["A"]; process["env"]; const { env } = process; console.log(1); process.once("SIGINT", f);
    import { cwd } from "node:process"; const p = globalThis.process; process.platform; x.process.y; \`\${process.cwd()} process.exit()\`;`,
  );
  expect(uses).toEqual([
    "a.ts: process.env",
    'a.ts: process["env"]',
    "a.ts: { env } = process",
    "a.ts: console.log",
    "a.ts: process.once",
    'a.ts: "node:process"',
    "a.ts: process.cwd",
  ]);
});
