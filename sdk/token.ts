/** Name of the native package, of its plugin, and of the namespace of the settings. */
export const packageName = "endpoint-monitoring";

/** Returns the type token of a class, which is the one that `pulumi.dynamic.Resource` builds from module and type. */
export function typeToken(name: string): string {
  return `${dynamicPrefix}${name}`;
}

/** Returns the token of a class or function in the native plugin's schema. */
export function nativeToken(name: string): string {
  return `${nativePrefix}${name}`;
}

/** Returns the class name of one of this package's type tokens, dynamic or native; undefined for any other token. */
export function classOfToken(token: string): string | undefined {
  if (token.startsWith(dynamicPrefix)) return token.slice(dynamicPrefix.length);
  return nameInNativeToken(token);
}

/** Returns the name in a token of the native plugin; undefined for any other token. */
export function nameInNativeToken(token: string): string | undefined {
  return token.startsWith(nativePrefix) ? token.slice(nativePrefix.length) : undefined;
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

const dynamicPrefix = `pulumi-nodejs:dynamic/${packageName}:`;
const nativePrefix = `${packageName}:index:`;
