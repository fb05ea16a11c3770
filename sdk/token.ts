/** Returns the type token of a class, which is the one that `pulumi.dynamic.Resource` builds from module and type. */
export function typeToken(name: string): string {
  return `${tokenPrefix}${name}`;
}

/** Returns the class name of one of this package's type tokens; undefined for any other token. */
export function classOfToken(token: string): string | undefined {
  return token.startsWith(tokenPrefix) ? token.slice(tokenPrefix.length) : undefined;
}

/**
 * Returns the provider string of a class for the state: a constant that loads the installed package from the program's folder. A
 * serialized closure would add kilobytes to every resource, change with every release, and run stale code on refresh.
 *
 * @param discreet whether messages must show neither the record's name nor values, because some are secret; the engine does not pass
 *   this to a dynamic provider
 */
export function providerString(name: string, discreet = false): string {
  return `exports.handler=()=>require("module").createRequire(process.cwd()+"/_.js")("pulumi-endpoint-monitoring/provider").${exportName(name)}${discreet ? ".discreet" : ""}`;
}

/** Returns the name under which the provider exports a class: its name with a lowercase first letter. */
export function exportName(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

const tokenPrefix = "pulumi-nodejs:dynamic/endpoint-monitoring:";
