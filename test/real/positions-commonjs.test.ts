/** Tests the positions that the real engine reports for CommonJS. positions has ECMAScript modules. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { managedIn } from "../../engine/state";
import { ProgramSource } from "../../program/program-source";
import { Stack } from "./support/stack";

const program = {
  "index.ts": `import * as em from "pulumi-endpoint-monitoring";
import { Label as L } from "pulumi-endpoint-monitoring";
import { site } from "./lib/site";
import "./lib/öffice room";

	/* öäü 😀 */ const tabbed = new L("tabbed", { name: "tabbed", matchType: "and", filters: [] }); const second = new L(
  "second", { name: "second", matchType: "and", filters: [] });
new
  em.Label("broken-line", { name: "broken line", matchType: "and", filters: [] });
for (const name of ["one", "two"]) {
  new em.Label(name, { name, matchType: "and", filters: [] });
}
const mapped = ["three"].map((name) => new em.Label(name, { name, matchType: "and", filters: [] }));
site("berlin");
export const ids = [tabbed.id, second.id, ...mapped.map(({ id }) => id)];
`,
  "lib/site.ts": `import * as pulumi from "@pulumi/pulumi";
import { Label } from "pulumi-endpoint-monitoring";

class Site extends pulumi.ComponentResource {
  constructor(name: string) {
    super("test:Site", name);
    new Label("only", { name: "Only", matchType: "and", filters: [] }, { parent: this });
    new Label(\`\${name}-label\`, { name, matchType: "and", filters: [] }, { parent: this });
  }
}

export function site(name: string): Site {
  return new Site(name);
}
`,
  // The engine does not find the source map of a file with an escaped path, so its positions refer to the compiled text.
  "lib/öffice room.ts": `import { Label } from "pulumi-endpoint-monitoring";

interface Room {
  name: string;
}
const room: Room = { name: "Room" };
new Label("room", { name: room.name, color: "#aaaaaa", matchType: "and", filters: [] });
`,
};

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.start({}, "typescript");
  // Without type checks, the compiler uses the folder of its one file as root, and rejects the next folder.
  Object.assign(stack.environment, { PULUMI_NODEJS_TRANSPILE_ONLY: "false" });
  for (const [path, text] of Object.entries(program)) {
    mkdirSync(dirname(join(stack.folder, path)), { recursive: true });
    writeFileSync(join(stack.folder, path), text);
  }
  await stack.up();
});
afterAll(() => stack.end());

test("the engine reports the file and line of each resource", async () => {
  const source = await ProgramSource.read(stack.folder);
  const exported = JSON.parse((await stack.must("stack", "export")).stdout);
  const positions = managedIn("dev", exported).map((resource): [string, string] => {
    const declaration = resource.position && source.at(resource.position);
    const { file, line, column } = resource.position ?? { file: "", line: 0, column: 0 };
    return [resource.name, declaration ? (declaration.name ?? "worked out") : `none at ${file}:${line}:${column}`];
  });
  expect(Object.fromEntries(positions)).toEqual({
    ...Object.fromEntries(["tabbed", "second", "broken-line", "only"].map((name) => [name, name])),
    one: "worked out",
    two: "worked out",
    "berlin-label": "worked out",
    three: "worked out",
    room: expect.stringMatching(/^none at lib\/öffice room\.ts:/),
  });
});
