// A Pulumi program that declares what program.json beside it says: tests write data, the engine runs this.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const pulumi = require("@pulumi/pulumi");
const sdk = require("pulumi-endpoint-monitoring");

const made = {};
const config = new pulumi.Config();

/** `{ $id: name }` is the id of another resource, `{ $secret: key }` a secret of the configuration, `{ $output: value }` an Output. */
function value(given) {
  if (Array.isArray(given)) return given.map(value);
  if (typeof given !== "object" || given === null) return given;
  if ("$id" in given) return made[given.$id].id;
  if ("$secret" in given) return config.requireSecret(given.$secret);
  // An Output of a whole value that is known only once the resource is there.
  if ("$after" in given) return made[given.$after].id.apply(() => given.value);
  return Object.fromEntries(Object.entries(given).map(([key, member]) => [key, value(member)]));
}

/** Components by name, made when the first resource goes into one. */
const components = {};
const component = (name) => (components[name] ??= new pulumi.ComponentResource("test:index:Group", name));

const program = JSON.parse(readFileSync(join(process.cwd(), "program.json"), "utf8"));
for (const [name, { kind, args, get, options, parent }] of Object.entries(program)) {
  const opts = parent === undefined ? options : { ...options, parent: component(parent) };
  made[name] = get === undefined ? new sdk[kind](name, value(args), opts) : sdk[kind].get(name, value(get), args);
}
for (const [name, { show }] of Object.entries(program)) {
  for (const output of show ?? []) exports[`${name}.${output}`] = made[name][output];
}
