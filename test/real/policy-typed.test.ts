import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type KindName, registry } from "../../provider/registry";
import { declared } from "../chaos/rows/declared";
import { labelA } from "../support/kinds";
import { repository } from "../support/process";
import { fronts, type Program, Stack } from "./support/stack";

const classes = Object.values(registry).map(({ name }) => name);

/** A resource of each class. References by `$id` have a valid id, because previews look nothing up. */
const program: Program = Object.fromEntries(
  (Object.keys(registry) as KindName[]).map((kind) => {
    const text = JSON.stringify(declared[kind]).replaceAll(JSON.stringify(labelA), '"281474976710656"');
    return [`of-${kind}`, { kind: registry[kind].name, args: JSON.parse(text) as object }];
  }),
);

describe.each(fronts)("typed helpers of @pulumi/policy with %s resources", (front) => {
  let stack: Stack;
  let text: string;
  let maxMachines: unknown;

  beforeAll(async () => {
    stack = await Stack.startWith(front);
    const pack = join(stack.folder, "pack");
    mkdirSync(pack);
    writeFileSync(join(pack, "PulumiPolicy.yaml"), "runtime: nodejs\nmain: index.ts\n");
    writeFileSync(join(pack, "package.json"), '{ "name": "typed-pack", "version": "1.0.0" }\n');
    copyFileSync(join(repository, "examples/policy-pack/tsconfig.json"), join(pack, "tsconfig.json"));
    copyFileSync(join(__dirname, "support/typed-pack.ts"), join(pack, "index.ts"));
    symlinkSync(join(repository, "node_modules/typescript"), join(stack.folder, "node_modules/typescript"), "dir");
    stack.declare(program);
    ({ text } = await stack.must("preview", "--policy-pack", pack));
    const { stdout } = await stack.must("preview", "--json", "--policy-pack", pack);
    const { steps } = JSON.parse(stdout) as { steps: { urn: string; newState: { inputs: { maxMachines?: unknown } } }[] };
    maxMachines = steps.find(({ urn }) => urn.endsWith("::of-httpServerTest"))?.newState.inputs.maxMachines;
  });
  afterAll(() => stack.end());

  it.each(classes)("a policy helper recognizes %s by its class", (name) => {
    const expectedName = `of-${name.charAt(0).toLowerCase()}${name.slice(1)}`;
    const seen = [...text.matchAll(/seen (dynamic|native) (\w+) (\S+)/g)].map((match) => match.slice(1).join(" "));
    const expected = front === "native" ? ["dynamic", "native"] : ["dynamic"];
    expect(new Set(seen.filter((line) => line.endsWith(` ${expectedName}`)))).toEqual(
      new Set(expected.map((of) => `${of} ${name} ${expectedName}`)),
    );
    expect(text).toContain(`stack dynamic ${name} 1 1`);
    expect(text).toContain(front === "native" ? `stack native ${name} 1 1` : `stack native ${name} 0 0`);
  });

  it("policy helpers pass typed arguments to policies", () => {
    expect(text).toMatch(/typed https?:\/\/\S+ \d+/);
    expect(maxMachines).toBe(7);
  });
});
