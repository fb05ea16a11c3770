/** Does what the README.md of each example says, word for word, in a copy of it: with the packed package, package managers, the engine. */
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { amount } from "../support/amount";
import { freePort } from "../support/port";
import { endAll } from "../support/process";
import { packOwn, repository } from "./support/installed";
import { blocksIn, typedWith } from "./support/readme";
import { brief, Shell } from "./support/shell";

const folder = join(repository, "examples");
const readmeOf = (name: string): string => readFileSync(join(folder, name, "README.md"), "utf8");

/** Examples that are no program in TypeScript to copy, and where their commands are tested. */
const elsewhere: Readonly<Record<string, string>> = {
  "alert-rules": "test/engine/examples.test.ts",
  ci: "test/ci",
  "policy-pack": "test/engine/examples.test.ts",
  python: "test/engine/languages.test.ts",
  yaml: "test/engine/languages.test.ts",
};
const examples = readdirSync(folder).filter((name) => !(name in elsewhere));

const isLong = amount(0, 1) === 1;

/** What a person types where a command asks for a secret. */
const secret = "hush-hush\n";

/** Resources that the first update creates, the stack itself left out. What has none runs its tests: a failed one ends `node --test`. */
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

beforeAll(() => void (tarball = packOwn()), 30_000);
beforeEach(() => (shell = new Shell(brief)));
afterEach(async () => {
  await shell.end();
  await endAll();
});

/** Each example with each package manager; in `npm test`, one of them each, and the tests of programs. */
const cases = ["npm", "pnpm"].flatMap((manager) => examples.map((name) => [name, manager] as const));
const few = [
  ["unit-tests", "npm"],
  ["multi-account", "pnpm"],
] as const;

test.each(isLong ? cases : few)(
  "%s, with %s",
  async (name, manager) => {
    cpSync(join(folder, name), shell.folder, { recursive: true, filter: (path) => !path.includes("node_modules") });
    const [port, other] = [await freePort(), await freePort()];
    for (const line of blocksIn(readmeOf(name)).flat()) {
      const typed = typedWith(line, { manager, tarball, port }).replaceAll("8081", String(other));
      if (line.includes("endpoint-monitoring emulator")) {
        await shell.start(typed, (printed) => printed.includes(`http://127.0.0.1:${port}`));
      } else if (line.startsWith("node --eval"))
        await shell.start(`${typed} & echo started`, (printed) => printed === "started");
      else if (!isLong && typed.startsWith("npm install pulumi-endpoint-monitoring@")) await shell.installOnce(typed, tarball);
      else await shell.run(typed, secret);
    }
    // As a person would see it in an editor, unless the README has it.
    if (!shell.printed.includes("$ npx tsc\n")) await shell.run("npx tsc --noEmit");
    const count = created[name];
    // The stack itself is one of them.
    expect(shell.printed).toMatch(count === undefined ? /tests 3\b[^]*pass 3\b/ : new RegExp(`\\+ ${count + 1} created`));
    if (count === undefined) return;
    expect((await shell.run("npx endpoint-monitoring validate")).stdout).toContain("no mistake found");
    // What an update leaves of every example, and its end, are looked at without a package manager: test/engine/examples.test.ts.
    if (!isLong) return;
    expect((await shell.run("pulumi preview --expect-no-changes")).stdout).toContain("unchanged");
    await shell.run("pulumi state unprotect --all");
    await shell.run("pulumi destroy");
  },
  300_000,
);

test("every example has a step that installs, and is run here or elsewhere", () => {
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
