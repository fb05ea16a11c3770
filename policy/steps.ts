import type { EngineStep } from "../engine/preview-output";
import { type EngineResource, kindNameOf, managedOf } from "../engine/state";
import { compare } from "../provider/compare";
import type { Kind } from "../provider/kind";
import { registry } from "../provider/registry";
import { isObject, type Properties, unknownValue } from "../provider/values";
import type { PolicyResource } from "./resource";

/**
 * Returns the planned steps for resources of this package. The function compares the declared resources with the state, because
 * the engine passes only declared resources to a policy pack.
 *
 * @param engineResources the resources in the state
 * @param wanted the resources that the program declares
 */
export function stepsBetween(engineResources: readonly EngineResource[], wanted: readonly PolicyResource[]): EngineStep[] {
  const ours = engineResources.filter(
    (engineResource) => !engineResource.delete && kindNameOf(engineResource.type) !== undefined,
  );
  const before = new Map(ours.map((resource) => [resource.urn, resource]));
  const left = new Map(before);
  const steps = wanted.flatMap((resource): EngineStep[] => {
    const kindName = kindNameOf(resource.type);
    if (kindName === undefined) return [];
    const urn = [resource.urn, ...resource.opts.aliases].find((name) => before.has(name));
    const oldState = before.get(urn ?? "");
    left.delete(urn ?? "");
    return stepOf(registry[kindName], oldState, resource) ?? [];
  });
  const deletes = [...left.values()].filter(({ external }) => !external);
  return [...steps, ...deletes.map((oldState): EngineStep => ({ op: "delete", urn: oldState.urn, oldState }))];
}

/** Returns the steps of a resource; undefined if the program only reads the resource. */
function stepOf(kind: Kind, oldState: EngineResource | undefined, resource: PolicyResource): EngineStep[] | undefined {
  const { urn, type, opts } = resource;
  const properties = readable(resource.props) as Properties;
  if (oldState?.external) return undefined;
  // If a resource has outputs but is missing from the state, the program only reads the resource.
  if (!oldState && Object.keys(kind.outputSchema.shape).some((name) => !(name in kind.schema.shape) && name in properties)) {
    return undefined;
  }
  const inputs = Object.fromEntries(Object.entries(properties).filter(([name]) => name in kind.schema.shape));
  const newState: EngineResource = {
    // The engine passes only some resource options to a policy pack, so all other options come from the state.
    ...(oldState && { ...oldState, outputs: undefined }),
    urn,
    type,
    inputs,
    protect: opts.protect,
    ignoreChanges: opts.ignoreChanges,
    additionalSecretOutputs: opts.additionalSecretOutputs,
    propertyDependencies: Object.fromEntries(
      Object.entries(resource.propertyDependencies).map(([name, sources]) => [name, sources.map((source) => source.urn)]),
    ),
  };
  if (!oldState) return [{ op: "create", urn, newState }];
  const state = managedOf("", oldState);
  const changes = compare(kind, state?.outputs ?? {}, inputs);
  const replaceReasons = changes.filter(({ replaces }) => replaces).map(({ property }) => property);
  const isUnfinished = (oldState.initErrors ?? []).length > 0;
  const op =
    oldState.taint === true || replaceReasons.length > 0 ? "replace" : changes.length > 0 || isUnfinished ? "update" : "same";
  return [{ op, urn, oldState, newState, replaceReasons }];
}

/**
 * Replaces unknown parts of a value with the engine's string for unknown values. A part of a value is unknown if reading the
 * part throws an error.
 */
function readable(value: unknown): unknown {
  if (Array.isArray(value)) return Array.from(value.keys(), (at) => part(() => value[at] as unknown));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.keys(value).map((key) => [key, part(() => value[key])]));
}

function part(read: () => unknown): unknown {
  try {
    return readable(read());
  } catch (error) {
    // The policy pack may load another copy of `@pulumi/policy`, so `instanceof` would not recognize the class.
    if (error instanceof Error && error.constructor.name === "UnknownValueError") return unknownValue;
    throw error;
  }
}
