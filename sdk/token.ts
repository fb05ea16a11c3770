/** Type token of a class: the one `pulumi.dynamic.Resource` would make of module and type. */
export function typeToken(name: string): string {
  return `${tokenPrefix}${name}`;
}

/** Class name of a type token of ours; nothing for any other token. */
export function classOfToken(token: string): string | undefined {
  return token.startsWith(tokenPrefix) ? token.slice(tokenPrefix.length) : undefined;
}

/**
 * The provider of a class as state carries it: a constant that loads the installed package from the program's folder. A
 * serialized closure would put kilobytes into every resource, change with every release, and run stale code on refresh.
 *
 * @param discreet whether its messages are to show neither the record's name nor values: some of them are secret, which the engine
 *   does not tell a dynamic provider
 */
export function providerString(name: string, discreet = false): string {
  return `exports.handler=()=>require("module").createRequire(process.cwd()+"/_.js")("pulumi-endpoint-monitoring/provider").${exportName(name)}${discreet ? ".discreet" : ""}`;
}

/** The name under which the provider exports a class: its own with a small first letter. */
export function exportName(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

const tokenPrefix = "pulumi-nodejs:dynamic/endpoint-monitoring:";
