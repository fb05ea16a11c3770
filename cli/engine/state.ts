import type { Kind } from "../../provider/kind";
import { isKindName, registry, type KindName } from "../../provider/registry";
import { type Properties, isObject, objectOf, stringOf } from "../../provider/values";
import { classOfToken, exportName } from "../../sdk/token";
import { parseJson } from "../files";
import type { EngineResource } from "./preview-output";

export type { EngineResource };

/** A place in a program's source. Lines and columns count from 1. */
export interface Position {
  file: string;
  line: number;
  column: number;
}

/** A place as reports show it: `index.ts:12`. */
export function positionText({ file, line }: Position): string {
  return `${file}:${line}`;
}

/** A resource of ours that a stack manages, as its state has it. */
export interface ManagedResource {
  stack: string;
  urn: string;
  /** Name in the program. */
  name: string;
  kindName: KindName;
  kind: Kind;
  id: string;
  /** Inputs from the program, without the provider string. */
  inputs: Properties;
  /** Outputs from the service at the last update or refresh. */
  outputs: Properties;
  /** Properties that hold a secret, at whatever depth: never to be shown. */
  secrets: ReadonlySet<string>;
  protect: boolean;
  /** Properties that the program has the engine leave as they are, as paths such as `filters[0].values`. */
  ignoreChanges: readonly string[];
  /** Where the program declares it, as of the last update. Unknown after an import. */
  position?: Position;
  /** Time when it came into the state, by an update or an import, UTC. */
  created?: string;
  /** Time of the last change of its state, UTC: its creation, an update, or a refresh that found something. */
  modified?: string;
}

/** How the engine writes a secret into state and import files. */
export const secretSignature = { key: "4dabf18193072939515e22adb298388d", value: "1b47061264138c4ac30d75fd1eb44270" };

/** The mask of a secret that is not opened, which previews show, too. */
export const secretMask = "[secret]";

/** The state of a stack as the next operation finds it. */
export interface HeldState {
  readonly resources: readonly EngineResource[];
  /** Resources that an earlier update replaced, and whose deletion is still to come. */
  readonly pendingDeletions: readonly EngineResource[];
  /** Operations of an earlier update of which the engine does not know the outcome: `creating`, `deleting`. */
  readonly interrupted: readonly { readonly urn: string; readonly type: string }[];
}

export function heldStateIn(exported: unknown): HeldState {
  const resources = resourcesIn(exported);
  const deployment = objectOf(objectOf(exported)["deployment"]);
  const pending: unknown[] = Array.isArray(deployment["pending_operations"]) ? deployment["pending_operations"] : [];
  return {
    resources,
    pendingDeletions: resources.filter((one) => one.delete === true),
    interrupted: pending.filter(isObject).flatMap(({ resource, type }) => {
      const urn = isObject(resource) ? stringOf(resource["urn"]) : undefined;
      return urn === undefined ? [] : [{ urn, type: String(type) }];
    }),
  };
}

export function managedIn(stack: string, exported: unknown): ManagedResource[] {
  return managedAmong(stack, resourcesIn(exported));
}

export function resourcesIn(exported: unknown): EngineResource[] {
  const deployment = objectOf(objectOf(exported)["deployment"]);
  // The engine wrote it.
  return Array.isArray(deployment["resources"]) ? (deployment["resources"] as EngineResource[]) : [];
}

/** The resources of ours among those of a stack: those it manages, so none that is only read or waits for its deletion. */
export function managedAmong(stack: string, resources: readonly EngineResource[]): ManagedResource[] {
  const kept = resources.filter(({ external, delete: isLeaving }) => !external && !isLeaving);
  return kept.flatMap((resource) => managedOf(stack, resource) ?? []);
}

/** One resource of the engine's as ours; nothing for one of another provider, or of a kind this version does not know. */
export function managedOf(stack: string, resource: EngineResource): ManagedResource | undefined {
  const kindName = kindNameOf(resource.type);
  if (kindName === undefined) return undefined;
  const kind: Kind = registry[kindName];
  const [inputs, outputs] = [withoutProvider(resource.inputs), withoutProvider(resource.outputs)];
  const masked = Object.keys({ ...outputs, ...inputs }).filter((property) =>
    someDeep([inputs[property], outputs[property]], (part) => isSecret(part) || part === secretMask),
  );
  return {
    stack,
    urn: resource.urn,
    name: nameOfUrn(resource.urn),
    kindName,
    kind,
    id: stringOf(resource.id) ?? "",
    inputs: opened(inputs) as Properties,
    outputs: opened(outputs) as Properties,
    secrets: new Set([...masked, ...(resource.additionalSecretOutputs ?? []), ...kind.secrets]),
    protect: resource.protect === true,
    ignoreChanges: resource.ignoreChanges ?? [],
    position: positionOf(resource),
    created: resource.created,
    modified: resource.modified,
  };
}

/** The kind of a type token of ours; nothing for any other, and for a kind this version does not know. */
export function kindNameOf(type: string): KindName | undefined {
  const name = exportName(classOfToken(type) ?? "");
  return isKindName(name) ? name : undefined;
}

export function nameOfUrn(urn: string): string {
  // A name may hold "::" itself: what is before it never does.
  return urn.split("::").slice(3).join("::");
}

/** URN of the resource that another belongs to; nothing where that is the stack. */
export function parentOf({ parent }: EngineResource): string | undefined {
  return parent === undefined || parent === "" || parent.includes("::pulumi:pulumi:Stack::") ? undefined : parent;
}

/** Properties without the string that leads to the code of a dynamic provider. */
export function withoutProvider(properties: Properties = {}): Properties {
  // Such names are the engine's for what is not a property.
  const rest = Object.fromEntries(Object.entries(properties).filter(([name]) => !name.startsWith("__")));
  return rest;
}

/** Whether a value is a secret as the engine writes it into state, plans and import files. */
export function isSecret(value: unknown): value is Properties {
  return isObject(value) && value[secretSignature.key] === secretSignature.value;
}

/** Whether a value, or anything in it, passes a test. */
export function someDeep(value: unknown, test: (part: unknown) => boolean): boolean {
  if (test(value)) return true;
  if (Array.isArray(value)) return value.some((item) => someDeep(item, test));
  return isObject(value) && Object.values(value).some((member) => someDeep(member, test));
}

/** A value in which parts are replaced, at any depth. @param replace the new value in a list; nothing for a part that stays */
export function replaceDeep(value: unknown, replace: (part: unknown) => [unknown] | undefined): unknown {
  const replaced = replace(value);
  if (replaced) return replaced[0];
  if (Array.isArray(value)) return value.map((item) => replaceDeep(item, replace));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replaceDeep(member, replace)]));
}

/** A value with its secrets opened; what was exported closed is masked, and so is what is damaged. */
export function opened(value: unknown): unknown {
  return replaceDeep(value, (part) => {
    if (!isSecret(part)) return undefined;
    const secret = parseJson(stringOf(part["plaintext"]) ?? "");
    return [secret === undefined ? secretMask : secret];
  });
}

/** The innermost frame inside the project that is no package's: where a person wrote the resource. */
export function positionOf({ stackTrace = [], sourcePosition }: EngineResource): Position | undefined {
  for (const position of [...stackTrace.map((frame) => frame.sourcePosition), sourcePosition]) {
    const found = /^project:\/\/\/(?<file>.+)#(?<line>\d+),(?<column>\d+)$/.exec(position ?? "")?.groups;
    if (!found || /(^|\/)(node_modules|\.\.)\//.test(found["file"] ?? "")) continue;
    return { file: decoded(found["file"] ?? ""), line: Number(found["line"]), column: Number(found["column"]) };
  }
  return undefined;
}

/** A path as people write it. One that the engine did not encode stays as it is. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
