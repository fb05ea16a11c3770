import { registry } from "../provider/registry";
import type { Kind } from "../provider/kind";
import { isObject, isUnknown, type Properties, valueAt } from "../provider/values";
import { type EngineResource, kindNameOf, secretMask, secretSignature } from "./held";

/**
 * Where properties of a resource of ours are not what its kind has: a provider checks what a program declares, so only a damaged
 * preview has such. Values that are unknown or masked may stand anywhere, and an older release may have had fewer properties.
 *
 * @returns the path of the first such place in the resource; nothing where there is none
 */
export function damagedProperty(resource: EngineResource): PropertyKey[] | undefined {
  const kindName = kindNameOf(resource.type);
  if (kindName === undefined) return undefined;
  for (const side of ["inputs", "outputs"] as const) {
    const path = damagedIn(registry[kindName], resource[side] ?? {});
    if (path) return [side, ...path];
  }
  return undefined;
}

function damagedIn(kind: Kind, properties: Properties): PropertyKey[] | undefined {
  const issues = kind.schema.safeParse(properties).error?.issues ?? [];
  return issues.find(({ code, path }) => {
    const value = valueAt(properties, path);
    if (isHidden(value)) return false;
    if (code === "invalid_type") return path.length > 1 || (value !== undefined && value !== null);
    return code === "invalid_value" && typeof value === "object";
  })?.path;
}

function isHidden(value: unknown): boolean {
  return isUnknown(value) || value === secretMask || (isObject(value) && secretSignature.key in value);
}
