import { z } from "zod";
import { isDeeperThan, pathText } from "../api/parse";
import { article, typeName } from "./explain";
import type { Failure, Kind } from "./kind";
import { type Properties, isObject, isUnknown, sameValue } from "./values";

/** Levels of the deepest property that is worked with. Kinds have fewer than ten; what goes through properties calls itself. */
const deepest = 100;

/** Properties of which none is nested deeper than can be worked with, and those that were. */
export interface Shallow {
  properties: Properties;
  /** Names of the properties that were nested deeper. */
  deep: string[];
}

/** Puts a stand-in in the place of each property that is nested too deep, so that the others are still looked at. */
export function shallow(properties: Properties, standIn: unknown): Shallow {
  const deep = Object.keys(properties).filter((property) => isDeeperThan(properties[property], deepest));
  return { properties: { ...properties, ...Object.fromEntries(deep.map((property) => [property, standIn])) }, deep };
}

/** What `check` reports of properties that are nested too deep. */
export function depthFailures(deep: readonly string[]): Failure[] {
  return deep.map((path) => ({ path, reason: `is nested deeper than ${deepest} levels` }));
}

/** What is wrong with a property: the place in it, and what would be right. */
export interface Damage extends Failure {
  property: string;
}

/** Properties that can be worked with, and what is wrong with the others. */
export interface Sound {
  properties: Properties;
  damages: Damage[];
}

/**
 * Takes out the properties that have not the shape of their kind: a state may have been edited, or damaged. Shape is what code relies
 * on (lists, objects, text, numbers, flags); which text or number it is does not matter, since the service may report what no program
 * may declare.
 */
export function sound(kind: Kind, properties: Properties): Sound {
  const shapes = { ...kind.outputSchema.shape, ...kind.schema.shape };
  const damages = Object.entries(shapes).flatMap(([property, schema]) => {
    const damage = misfit(schema, properties[property], [property]);
    return damage ? [{ property, ...damage }] : [];
  });
  // Undefined, not left out: what has a damaged property is still not what `get` starts from, which has none.
  const without = Object.fromEntries(damages.map(({ property }) => [property, undefined]));
  return { properties: { ...properties, ...without }, damages };
}

/** Whether two values of a property are the same, folded as the service folds them. What has not its shape is the same as JSON only. */
export function isSame(kind: Kind, property: string, a: unknown, b: unknown): boolean {
  const folded = kind.properties[property]?.same;
  const fits =
    folded && [a, b].every((value) => value !== undefined && !misfit(kind.schema.shape[property], value, [property]));
  return fits ? folded(a, b) : sameValue(a, b);
}

/** The first place where a value has another shape than its schema says; absent and further members are no matter. */
function misfit(schema: unknown, value: unknown, path: readonly PropertyKey[]): Failure | undefined {
  if (value === undefined || isUnknown(value)) return undefined;
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) return misfit(schema.unwrap(), value, path);
  if (schema instanceof z.ZodUnion) {
    const misfits = schema.options.map((option) => misfit(option, value, path));
    return misfits.every((one) => one !== undefined) ? misfits[0] : undefined;
  }
  const wanted = shapeOf(schema);
  const has = typeName(value);
  if (value === null || has !== wanted) {
    const reason = value === null ? "has no value" : `must be ${article(wanted)}, not ${article(has)}`;
    return { path: pathText(path), reason };
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return firstOf(value, (item, i) => misfit(schema.element, item ?? null, [...path, i]));
  }
  if (!(schema instanceof z.ZodObject) || !isObject(value)) return undefined;
  return firstOf(Object.entries(schema.shape), ([name, member]) => misfit(member, value[name] ?? undefined, [...path, name]));
}

/** What values of a schema are, as messages call it. */
function shapeOf(schema: unknown): string {
  if (schema instanceof z.ZodArray) return "list";
  if (schema instanceof z.ZodObject) return "object";
  if (schema instanceof z.ZodNumber) return "number";
  if (schema instanceof z.ZodBoolean) return "boolean";
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum) return "string";
  if (schema instanceof z.ZodLiteral) return typeof schema.def.values[0];
  throw new Error(`a kind has a property of a schema whose shape is not known: ${String(schema)}`);
}

function firstOf<T, R>(list: readonly T[], find: (item: T, index: number) => R | undefined): R | undefined {
  for (const [index, item] of list.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}
