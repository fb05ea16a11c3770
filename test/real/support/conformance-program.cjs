// A Pulumi program that declares the cells of the conformance matrix. program.json next to it lists them with their resource
// options.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const pulumi = require("@pulumi/pulumi");
const sdk = require(`pulumi-endpoint-monitoring${process.env.TEST_FRONT === "native" ? "/native" : ""}`);

const cells = JSON.parse(readFileSync(join(process.cwd(), "program.json"), "utf8"));
const made = {};
const config = new pulumi.Config("endpoint-monitoring");
const settings = { baseUrl: config.require("baseUrl"), token: config.requireSecret("token") };

/** Converts values that JSON cannot contain to the SDK's values. */
const resolve = {
  dependsOn: (name) => [made[name]],
  deletedWith: (name) => made[name],
  replaceWith: (names) => names.map((name) => made[name]),
  parent: (name) => (made[name] ??= new pulumi.ComponentResource("test:index:Group", name)),
  provider: (name) => (made[name] ??= new sdk.Provider(name, settings)),
  hooks: (name) => ({ afterCreate: [(made[name] ??= new pulumi.ResourceHook(name, () => {}))] }),
  stateMigrations: () => [({ oldState }) => ({ newState: oldState })],
  transforms: (props) => [({ props: declared, opts }) => ({ props: { ...declared, ...props }, opts })],
  transformations: (props) => [({ props: declared, opts }) => ({ props: { ...declared, ...props }, opts })],
};

for (const { name, kind, args, options } of cells) {
  const opts = Object.entries(options).map(([option, value]) => [option, resolve[option]?.(value) ?? value]);
  made[name] = new sdk[kind](name, args, Object.fromEntries(opts));
}
