import { relative, sep } from "node:path";
import type { Kind } from "../provider/kind";
import { isKindName, registry, type KindName } from "../provider/registry";
import { reshapedProperty } from "../provider/reshaped";
import { type Properties, isObject, objectOf, secretSignature, signatureKey, stringOf } from "../provider/values";
import { writtenProperty } from "../provider/read-lag";
import { classOfToken, exportName } from "../sdk/token";
import { parseJson } from "../common/files";
import type { Position } from "../common/position";
import { secretMask } from "../common/text";
import type { EngineResource } from "./preview-output";

export type { EngineResource };

export interface ManagedResource {
  stack: string;
  urn: string;
  name: string;
  kindName: KindName;
  kind: Kind;
  id: string;
  /** Inputs that the program declares, without the code of the dynamic provider. */
  inputs: Properties;
  /** Outputs from the service at the last update or refresh. */
  outputs: Properties;
  /** Properties that contain a secret at any depth. Reports never show secrets. */
  secrets: ReadonlySet<string>;
  protect: boolean;
  /** Paths of properties that the resource option `ignoreChanges` lists, such as `filters[0].values`. */
  ignoreChanges: readonly string[];
  /** Position of the resource's declaration in the program of the last update; undefined for an imported resource. */
  position?: Position;
  /** Time of the stack's last write to the record, according to the service's clock; undefined for an imported resource. */
  written?: string | undefined;
  /** UTC time when an update or import added the resource to the state. */
  created?: string;
  /** UTC time when a create, update or refresh last changed the resource's state. */
  modified?: string;
}

export interface HeldState {
  /** All resources in the state, including replaced resources that await deletion. */
  readonly resources: readonly EngineResource[];
  /**
   * Operations with an unknown outcome, from an interrupted update. `type` is the type of the operation, such as `creating`.
   */
  readonly interrupted: readonly { readonly urn: string; readonly type: string }[];
}

export function heldStateIn(exported: unknown): HeldState {
  const deployment = objectOf(objectOf(exported)["deployment"]);
  const [resources, pending] = [deployment["resources"], deployment["pending_operations"]];
  return {
    resources: Array.isArray(resources) ? (resources as EngineResource[]) : [],
    interrupted: (Array.isArray(pending) ? pending : []).flatMap((operation: unknown) => {
      const { resource, type } = objectOf(operation);
      const urn = stringOf(objectOf(resource)["urn"]);
      return urn === undefined ? [] : [{ urn, type: String(type) }];
    }),
  };
}

export interface ExportedState {
  readonly deployment: unknown;
}

export function isState(printed: unknown): printed is ExportedState {
  return isObject(printed) && "deployment" in printed;
}

export function managedIn(stack: string, exported: unknown): ManagedResource[] {
  return managedAmong(stack, heldStateIn(exported).resources);
}

/**
 * Returns the resources of this package that a stack manages. The result omits resources that the stack only reads, and
 * resources that await deletion.
 */
export function managedAmong(stack: string, resources: readonly EngineResource[]): ManagedResource[] {
  const live = resources.filter(({ external, delete: isPendingDeletion }) => !external && !isPendingDeletion);
  return live.flatMap((resource) => managedOf(stack, resource) ?? []);
}

/** Converts a resource from the engine's format. Returns undefined for a resource of another provider or of an unknown type. */
export function managedOf(stack: string, resource: EngineResource): ManagedResource | undefined {
  const kindName = kindNameOf(resource.type);
  if (kindName === undefined) return undefined;
  const kind: Kind = registry[kindName];
  const [inputs, outputs] = [withoutProvider(resource.inputs), withoutProvider(resource.outputs)];
  const pairs = resource.outputs?.[reshapedProperty];
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
    // The outputs keep the property `__reshaped`, because comparisons need it. Reports never show `__reshaped`.
    outputs: opened({ ...outputs, ...(pairs !== undefined && { [reshapedProperty]: pairs }) }) as Properties,
    secrets: new Set([...masked, ...(resource.additionalSecretOutputs ?? []), ...kind.secrets]),
    protect: resource.protect === true,
    ignoreChanges: resource.ignoreChanges ?? [],
    position: positionOf(resource),
    written: stringOf(resource.outputs?.[writtenProperty]),
    created: resource.created,
    modified: resource.modified,
  };
}

/** Returns the name of the resource type for a type token, or undefined if this package does not know the token. */
export function kindNameOf(type: string): KindName | undefined {
  const name = exportName(classOfToken(type) ?? "");
  return isKindName(name) ? name : undefined;
}

export function nameOfUrn(urn: string): string {
  // Only the last part of a URN, the resource's name, may contain "::".
  return urn.split("::").slice(3).join("::");
}

/** Returns the URN of a resource's parent, or undefined if the parent is the stack. */
export function parentOf({ parent }: EngineResource): string | undefined {
  return parent === undefined || parent === "" || parent.includes("::pulumi:pulumi:Stack::") ? undefined : parent;
}

/** Removes the members that the engine adds, such as the code of a dynamic provider (`__provider`). */
export function withoutProvider(properties: Properties = {}): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !name.startsWith("__")));
}

/** Whether a value is a secret in the engine's JSON format. */
export function isSecret(value: unknown): value is Properties {
  return isObject(value) && value[signatureKey] === secretSignature;
}

/** Whether `test` returns true for a value or for any nested part of the value. */
export function someDeep(value: unknown, test: (part: unknown) => boolean): boolean {
  if (test(value)) return true;
  if (Array.isArray(value)) return value.some((item) => someDeep(item, test));
  return isObject(value) && Object.values(value).some((member) => someDeep(member, test));
}

/**
 * Replaces parts of a value at any depth. If no part is replaced, the function returns `value` itself to save memory.
 *
 * @param replace function that returns an array with the new part, or undefined to keep the part
 */
export function replaceDeep(value: unknown, replace: (part: unknown) => [unknown] | undefined): unknown {
  const replaced = replace(value);
  if (replaced) return replaced[0];
  if (Array.isArray(value)) {
    const items = value.map((item) => replaceDeep(item, replace));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, replaceDeep(member, replace)] as const);
  return members.every(([key, member]) => member === value[key]) ? value : Object.fromEntries(members);
}

/** Returns a value with its secrets in plain text. A mask replaces each secret that is still encrypted or damaged. */
export function opened(value: unknown): unknown {
  return replaceDeep(value, (part) => {
    if (!isSecret(part)) return undefined;
    const secret = parseJson(stringOf(part["plaintext"]) ?? "");
    return [secret === undefined ? secretMask : secret];
  });
}

/**
 * Returns the source position of a resource's declaration, which is the innermost stack frame outside packages. The path in the
 * position is relative to the project's folder. In ECMAScript modules, the SDK may record a file URL within a project URL
 * (`project:///file:/home/…`). A file URL counts only if the file is in `folder`, because the URL may come from another
 * machine.
 */
export function positionOf({ stackTrace = [], sourcePosition }: EngineResource, folder?: string): Position | undefined {
  for (const position of [...stackTrace.map((frame) => frame.sourcePosition), sourcePosition]) {
    const parts = /^project:\/\/\/(?<path>.+)#(?<line>\d+),(?<column>\d+)$/.exec(position ?? "")?.groups;
    const file = parts && projectPath(decoded(parts["path"] ?? ""), folder);
    if (file === undefined || /(^|\/)node_modules\//.test(file)) continue;
    return { file, line: Number(parts?.["line"]), column: Number(parts?.["column"]) };
  }
  return undefined;
}

function projectPath(path: string, folder: string | undefined): string | undefined {
  const absolute = /(?:^|\/)file:(?<path>\/.+)$/.exec(path)?.groups?.["path"];
  if (absolute === undefined) return path;
  const inside = folder === undefined ? ".." : relative(folder, decoded(absolute)).replaceAll(sep, "/");
  return inside.startsWith("..") ? undefined : inside;
}

/** Decodes a path from the engine. A path with an invalid URL encoding is returned unchanged. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
