/** Name of the native package and its plugin, and the prefix of all settings. */
export const packageName = "endpoint-monitoring";

/** Returns the type token of a dynamic class, in the format of `pulumi.dynamic.Resource`. */
export function typeToken(name: string): string {
  return `${dynamicPrefix}${name}`;
}

export function nativeToken(name: string): string {
  return `${nativePrefix}${name}`;
}

export function classOfToken(token: string): string | undefined {
  if (token.startsWith(dynamicPrefix)) return token.slice(dynamicPrefix.length);
  return nameInNativeToken(token);
}

export function nameInNativeToken(token: string): string | undefined {
  return token.startsWith(nativePrefix) ? token.slice(nativePrefix.length) : undefined;
}

/** Returns the resource's own type from a URN, without the types of its parents. */
export function typeOfUrn(urn: string): string {
  return typesOfUrn(urn).split("$").at(-1) ?? "";
}

/** Returns the types of the parents and of the resource from a URN, separated by `$`. */
export function typesOfUrn(urn: string): string {
  return urn.split("::")[2] ?? "";
}

/**
 * Returns a name that identifies a dynamic resource in all requests of an operation. The name is necessary because Pulumi does
 * not send the URN to a dynamic provider.
 *
 * @param parentTypes types of the parents, outermost first
 */
export function resourcePath(name: string, parentTypes: readonly string[]): string {
  return [...parentTypes, name].join("$");
}

/**
 * Returns the provider string of a class. The string contains no resource-specific code, and loads the package that is
 * installed in the program's folder. A serialized closure would add kilobytes to the state of every resource, and would change
 * with every release. A refresh would run the outdated code of a serialized closure.
 *
 * @param discreet whether messages must omit the record's name and values, because some values are secret. Pulumi does not
 * report to a dynamic provider which values are secret
 */
export function providerString(name: string, discreet = false): string {
  return `exports.handler=()=>require("module").createRequire(process.cwd()+"/_.js")("pulumi-endpoint-monitoring/provider").${exportName(name)}${discreet ? ".discreet" : ""}`;
}

/**
 * Returns the provider string of a class in a program that depends on this package only through other packages. The string
 * searches the program's folder first, then the program's dependencies and their dependencies. As a result, all resources of a
 * process share one copy of this package.
 */
export function searchingProviderString(name: string, discreet = false): string {
  return `exports.handler=()=>${search}.${exportName(name)}${discreet ? ".discreet" : ""}`;
}

/**
 * Code that loads the provider from the first folder in `q` where Node finds the provider. `q` contains the program's folder,
 * its parents up to a package.json, and the dependencies in each package.json. If Node does not find the provider from any
 * folder in `q`, the error names the program's folder. Stacks store the text of `search` in their state, so the text must never
 * change.
 */
const search = [
  `(()=>{let f=require("fs"),c=d=>require("module").createRequire(d+"/_.js"),p="pulumi-endpoint-monitoring/provider",`,
  `w=process.cwd(),q=new Set([w]),m;for(let d of q){let r=c(d),j;try{m=r.resolve(p);break}catch{}`,
  `try{j=JSON.parse(f.readFileSync(d+"/package.json"))}catch{q.add(require("path").dirname(d));continue}`,
  `for(let n in{...j.dependencies,...j.devDependencies})for(let x of r.resolve.paths("_"))`,
  `if(f.existsSync(x+="/"+n)){q.add(f.realpathSync(x));break}}return c(w)(m??p)})()`,
].join("");

export function exportName(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

const dynamicPrefix = `pulumi-nodejs:dynamic/${packageName}:`;
const nativePrefix = `${packageName}:index:`;
