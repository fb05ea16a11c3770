// A Pulumi program that declares the resources in program.json next to it: tests write data, and the engine runs this
// program.
const { existsSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const pulumi = require("@pulumi/pulumi");

/** Returns the classes of a front. A program may use both fronts. */
const sdkOf = (front = process.env.TEST_FRONT) => require(`pulumi-endpoint-monitoring${front === "native" ? "/native" : ""}`);

/** Settings of explicit providers by name, in a separate file, as far as they differ from the stack's. */
const providers = existsSync("providers.json") ? JSON.parse(readFileSync("providers.json", "utf8")) : {};

const made = {};
const config = new pulumi.Config();

/**
 * Converts a value: `{ $id: name }` is the id of another resource, `{ $secret: key }` a secret in the configuration, `{
 * $output: value }` an Output.
 */
function value(declared) {
  if (Array.isArray(declared)) return declared.map(value);
  if (typeof declared !== "object" || declared === null) return declared;
  if ("$id" in declared) return made[declared.$id].id;
  if ("$secret" in declared) return config.requireSecret(declared.$secret);
  // An Output of a whole value that is unknown until the resource exists.
  if ("$after" in declared) return made[declared.$after].id.apply(() => declared.value);
  return Object.fromEntries(Object.entries(declared).map(([key, member]) => [key, value(member)]));
}

const program = JSON.parse(readFileSync(join(process.cwd(), "program.json"), "utf8"));
for (const [name, { kind, args, get, options, front, provider }] of Object.entries(program)) {
  const sdk = sdkOf(front);
  const allOptions = { ...opts(options), ...(provider && { provider: providerOf(provider, front) }) };
  made[name] = get === undefined ? new sdk[kind](name, value(args), allOptions) : sdk[kind].get(name, value(get), args);
}
for (const [name, { show }] of Object.entries(program)) {
  for (const output of show ?? []) exports[`${name}.${output}`] = made[name][output];
}

/** Returns an explicit provider of a front, with the settings of the stack. */
function providerOf(name, front) {
  const settings = new pulumi.Config("endpoint-monitoring");
  const open = Object.fromEntries(["baseUrl", "movedFrom", "adopt", "replaceOrder"].map((key) => [key, settings.get(key)]));
  const args = { ...open, ...providers[name], token: settings.requireSecret("token") };
  return (made[`provider ${name} ${front}`] ??= new (sdkOf(front).Provider)(`${name}-${front}`, args));
}

/**
 * Returns a resource's options. A parent is a component by its name, created for its first child. `$root` in an alias is the
 * stack.
 */
function opts({ parent, aliases, ...others } = {}) {
  const withRoot = aliases?.map((alias) => (alias.parent === "$root" ? { ...alias, parent: pulumi.rootStackResource } : alias));
  const options = { ...others, ...(withRoot && { aliases: withRoot }) };
  if (parent === undefined) return options;
  return { ...options, parent: (made[`component ${parent}`] ??= new pulumi.ComponentResource("test:index:Group", parent)) };
}
