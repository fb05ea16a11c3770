/** Name of the native package, of its plugin, and of the namespace of the settings. */
export const packageName = "endpoint-monitoring";

/** Returns the type token of a class. `pulumi.dynamic.Resource` builds the same token from module and type. */
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

/** Returns the resource type in a URN. If the URN contains parent types, it is the last one. */
export function typeOfUrn(urn: string): string {
  return typesOfUrn(urn).split("$").at(-1) ?? "";
}

/** Returns all types in a URN: those of the parents and the resource's own. */
export function typesOfUrn(urn: string): string {
  return urn.split("::")[2] ?? "";
}

/**
 * Returns a name for a dynamic resource that stays the same in all requests of an operation. It takes the place of the URN,
 * which a dynamic provider does not receive.
 *
 * @param parentTypes types of the parents, the outermost first
 */
export function resourcePath(name: string, parentTypes: readonly string[]): string {
  return [...parentTypes, name].join("$");
}

/**
 * Returns the provider string of a class for the state: a constant that loads the installed package from the program's folder.
 * A serialized closure would add kilobytes to every resource, change with every release, and run outdated code on refresh.
 *
 * @param discreet whether messages must show neither the record's name nor values, because some are secret. The engine does
 * not pass this to a dynamic provider
 */
export function providerString(name: string, discreet = false): string {
  return `exports.handler=()=>require("module").createRequire(process.cwd()+"/_.js")("pulumi-endpoint-monitoring/provider").${exportName(name)}${discreet ? ".discreet" : ""}`;
}

/**
 * Returns the provider string of a class for a program with a folder that does not lead to this package, because only the
 * program's dependencies depend on it. This string is a constant as well. It searches the program's folder, then those packages
 * and their dependencies, the nearest first. So all resources of a process share one copy.
 */
export function searchingProviderString(name: string, discreet = false): string {
  return `exports.handler=()=>${search}.${exportName(name)}${discreet ? ".discreet" : ""}`;
}

/**
 * An expression that loads the provider from the first folder that leads to it. `q` holds the folders: the program's folder,
 * its parents up to its package.json, and the packages that a package.json names, as Node finds them. If no folder leads to it,
 * the error is that for the program's folder. The state holds this text, so it never changes.
 */
const search = [
  `(()=>{let f=require("fs"),c=d=>require("module").createRequire(d+"/_.js"),p="pulumi-endpoint-monitoring/provider",`,
  `w=process.cwd(),q=new Set([w]),m;for(let d of q){let r=c(d),j;try{m=r.resolve(p);break}catch{}`,
  `try{j=JSON.parse(f.readFileSync(d+"/package.json"))}catch{q.add(require("path").dirname(d));continue}`,
  `for(let n in{...j.dependencies,...j.devDependencies})for(let x of r.resolve.paths("_"))`,
  `if(f.existsSync(x+="/"+n)){q.add(f.realpathSync(x));break}}return c(w)(m??p)})()`,
].join("");

/** Returns the name under which the provider exports a class: its name with a lowercase first letter. */
export function exportName(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

const dynamicPrefix = `pulumi-nodejs:dynamic/${packageName}:`;
const nativePrefix = `${packageName}:index:`;
