import { z } from "zod";
import { isDeeperThan, pathText } from "../api/parse";
import { article, typeName } from "./explain";
import type { CheckFailure, Kind } from "./kind";
import { type Properties, isObject, isUnknown, sameValue } from "./values";

/** Maximum nesting of a property, in levels. Recursive functions could exhaust the call stack on deeper values. */
const maxDepth = 100;

export interface Shallow {
  properties: Properties;
  deep: string[];
}

/** Replaces properties that are nested too deeply with a placeholder, so that `check` can check the other properties. */
export function shallow(properties: Properties, standIn: unknown): Shallow {
  const deep = Object.keys(properties).filter((property) => isDeeperThan(properties[property], maxDepth));
  if (deep.length === 0) return { properties, deep };
  return { properties: { ...properties, ...Object.fromEntries(deep.map((property) => [property, standIn])) }, deep };
}

export function depthFailures(deep: readonly string[]): CheckFailure[] {
  return deep.map((path) => ({ path, reason: `is nested deeper than ${maxDepth} levels` }));
}

export interface Damage extends CheckFailure {
  property: string;
}

export interface Sound {
  properties: Properties;
  damages: Damage[];
}

/**
 * Finds damaged properties, because a user may have edited the state. The function checks only the types of values, because the service may
 * return values that a program cannot declare.
 */
export function sound(kind: Kind, properties: Properties): Sound {
  let damages: Damage[] | undefined;
  for (const [property, schema] of schemasOf(kind)) {
    const damage = misfit(schema, properties[property], [property]);
    if (damage) (damages ??= []).push({ property, ...damage });
  }
  if (damages === undefined) return { properties, damages: [] };
  // A state without any properties would look like the empty state that the function `get` passes. To avoid an empty state, damaged
  // properties stay in the state with the value undefined.
  const without = Object.fromEntries(damages.map(({ property }) => [property, undefined]));
  return { properties: { ...properties, ...without }, damages };
}

const schemas = new WeakMap<Kind, [property: string, schema: unknown][]>();

function schemasOf(kind: Kind): [property: string, schema: unknown][] {
  const known = schemas.get(kind) ?? Object.entries({ ...kind.outputSchema.shape, ...kind.schema.shape });
  schemas.set(kind, known);
  return known;
}

/**
 * Whether the service treats two values of a property as equal. Values with a wrong type are equal only if their JSON is
 * equal.
 */
export function isSame(kind: Kind, property: string, a: unknown, b: unknown): boolean {
  const same = kind.properties[property]?.same;
  const fits = same && [a, b].every((value) => value !== undefined && !misfit(kind.schema.shape[property], value, [property]));
  return fits ? same(a, b) : sameValue(a, b);
}

/** Whether the service treats two values of a property as equal, or both values are absent. */
export function isEqual(kind: Kind, property: string, a: unknown, b: unknown): boolean {
  return a === undefined || b === undefined ? a === b : isSame(kind, property, a, b);
}

/**
 * Finds the first part of a value that has a wrong type, and returns the path and the problem. The function allows missing and additional
 * members.
 */
function misfit(schema: unknown, value: unknown, path: readonly PropertyKey[]): CheckFailure | undefined {
  if (value === undefined || isUnknown(value)) return undefined;
  const { wanted, options, element, members } = formOf(schema as object);
  if (options) {
    const misfits = options.map((option) => misfit(option, value, path));
    return misfits.every((failure) => failure !== undefined) ? misfits[0] : undefined;
  }
  const has = typeName(value);
  if (value === null || has !== wanted) {
    const reason = value === null ? "has no value" : `must be ${article(wanted)}, not ${article(has)}`;
    return { path: pathText(path), reason };
  }
  if (element !== undefined && Array.isArray(value)) {
    return firstOf(value, (item, i) => misfit(element, item ?? null, [...path, i]));
  }
  if (!members || !isObject(value)) return undefined;
  return firstOf(members, ([name, member]) => misfit(member, value[name] ?? undefined, [...path, name]));
}

/** The expected type of a value, according to its schema. */
interface Form {
  wanted: string;
  options?: readonly unknown[];
  element?: unknown;
  members?: readonly [name: string, schema: unknown][];
}

/** Cache of the expected types by schema, because determining the class of a zod schema takes longer than checking a value. */
const forms = new WeakMap<object, Form>();

function formOf(schema: object): Form {
  const form = forms.get(schema) ?? formOfNew(schema);
  forms.set(schema, form);
  return form;
}

function formOfNew(schema: unknown): Form {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) return formOfNew(schema.unwrap());
  if (schema instanceof z.ZodUnion) return { wanted: "", options: schema.options };
  const wanted = shapeOf(schema);
  if (schema instanceof z.ZodArray) return { wanted, element: schema.element };
  return schema instanceof z.ZodObject ? { wanted, members: Object.entries(schema.shape) } : { wanted };
}

function shapeOf(schema: unknown): string {
  if (schema instanceof z.ZodArray) return "list";
  if (schema instanceof z.ZodObject) return "object";
  if (schema instanceof z.ZodNumber) return "number";
  if (schema instanceof z.ZodBoolean) return "boolean";
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum) return "string";
  if (schema instanceof z.ZodLiteral) return typeof schema.def.values[0];
  throw new Error(`A resource type has a property with an unsupported schema: ${String(schema)}`);
}

function firstOf<T, R>(list: readonly T[], find: (item: T, index: number) => R | undefined): R | undefined {
  for (const [index, item] of list.entries()) {
    const failure = find(item, index);
    if (failure !== undefined) return failure;
  }
  return undefined;
}
