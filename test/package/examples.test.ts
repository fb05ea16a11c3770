/** Runs each example's README.md literally in a copy, with the packed package, package managers and the engine. */
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isLong } from "../support/amount";
import { freePort } from "../support/port";
import { endAll } from "../support/process";
import { packOwn, repository } from "./support/installed";
import { blocksIn, typedWith } from "./support/readme";
import { brief, Shell } from "./support/shell";

const folder = join(repository, "examples");
const readmeOf = (name: string): string => readFileSync(join(folder, name, "README.md"), "utf8");

/** Examples that are not TypeScript programs to copy, and the tests of their commands. */
const elsewhere: Readonly<Record<string, string>> = {
  "alert-rules": "test/real/examples.test.ts",
  ci: "test/ci",
  "policy-pack": "test/real/examples.test.ts",
  python: "test/real/languages.test.ts",
  yaml: "test/real/languages.test.ts",
};
const examples = readdirSync(folder).filter((name) => !(name in elsewhere));

/** Input for a command that asks for a secret. */
const secret = "hush-hush\n";

/** Number of resources that the first update creates, without the stack. An example without resources runs its tests with `node --test`. */
const created: Readonly<Record<string, number>> = {
  agents: 2,
  brownfield: 3,
  component: 8,
  "fleet-labels": 7,
  "multi-account": 4,
  quickstart: 8,
  "release-gate": 4,
  tags: 4,
};

let tarball: string;
let shell: Shell;

beforeAll(() => void (tarball = packOwn()));
beforeEach(() => (shell = new Shell(brief)));
afterEach(async () => {
  await shell.end();
  await endAll();
});

/** Each example with each package manager. `npm test` runs one package manager for each, and the tests of programs. */
const cases = ["npm", "pnpm"].flatMap((manager) => examples.map((name) => [name, manager] as const));
const few = [
  ["unit-tests", "npm"],
  ["multi-account", "pnpm"],
] as const;

test.each(isLong ? cases : few)("the README commands of the %s example work with %s", async (name, manager) => {
  cpSync(join(folder, name), shell.folder, { recursive: true, filter: (path) => !path.includes("node_modules") });
  const [port, other] = [await freePort(), await freePort()];
  for (const line of blocksIn(readmeOf(name)).flat()) {
    const typed = typedWith(line, { manager, tarball, port }).replaceAll("8081", String(other));
    if (line.includes("endpoint-monitoring emulator")) {
      await shell.start(typed, (printed) => printed.includes(`http://127.0.0.1:${port}`));
    } else if (line.startsWith("node --eval")) await shell.start(`${typed} & echo started`, (printed) => printed === "started");
    else if (!isLong && typed.startsWith("npm install pulumi-endpoint-monitoring@")) await shell.installOnce(typed, tarball);
    else await shell.run(typed, secret);
  }
  // Types are checked like in an editor, unless the README does it.
  if (!shell.printed.includes("$ npx tsc\n")) await shell.run("npx tsc --noEmit");
  const count = created[name];
  // The count includes the stack.
  expect(shell.printed).toMatch(count === undefined ? /tests 3\b[^]*pass 3\b/ : new RegExp(`\\+ ${count + 1} created`));
  if (count === undefined) return;
  expect((await shell.run("npx endpoint-monitoring validate")).stdout).toContain("no mistake found");
  // The result of each example's update and destroy is tested without a package manager: test/real/examples.test.ts.
  if (!isLong) return;
  expect((await shell.run("pulumi preview --expect-no-changes")).stdout).toContain("unchanged");
  await shell.run("pulumi state unprotect --all");
  await shell.run("pulumi destroy");
});

test("every example has installation steps and a test", () => {
  for (const name of examples) {
    expect(blocksIn(readmeOf(name)).flat()).toEqual(
      expect.arrayContaining([
        "npm install pulumi-endpoint-monitoring",
        expect.stringMatching(/^npx endpoint-monitoring init/),
        "npm install",
      ]),
    );
  }
  expect(new Set([...Object.keys(created), "unit-tests"])).toEqual(new Set(examples));
  for (const name of Object.keys(elsewhere)) expect(readdirSync(folder)).toContain(name);
});
