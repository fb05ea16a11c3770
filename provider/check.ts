import { z } from "zod";
import { explain } from "./explain";
import type { Failure, Kind } from "./kind";
import { isSame } from "./shape";
import { type Properties, compact, isObject, isUnknown, sameValue, unknownValue, valueAt } from "./values";

export interface Checked {
  /** The inputs in canonical form: absent members dropped, defaults filled in. */
  inputs: Properties;
  /** Everything that is wrong, at once: the engine stops at the first resource whose check fails. */
  failures: Failure[];
}

/**
 * Checks what a program declares and fills in the service's defaults. Values that are not known yet pass.
 *
 * @param settled the stack's values for properties the program leaves out, before the defaults: its account group
 */
export function check(kind: Kind, declared: Properties, settled: Properties = {}): Checked {
  const filled = kind.takesDefaultAccountGroup === false ? {} : compact(settled);
  const inputs = withDefaults(kind.schema, { ...filled, ...compact(declared) }) as Properties;
  const issues = kind.schema.safeParse(inputs).error?.issues.filter((issue) => !isUnknown(valueAt(inputs, issue.path))) ?? [];
  const valid = withoutInvalid(inputs, issues);
  const broken = kind.rules(valid, (property) => inputs[property] !== undefined);
  return { inputs, failures: [...issues.flatMap((issue) => explain(kind.schema, issue, inputs)), ...broken] };
}

/**
 * The inputs as rules between properties may see them: known and valid by themselves. zod would skip such rules as soon as one
 * issue remains. Inside a list or object an invalid value becomes an unknown one, so that the rest of it is still looked at.
 */
function withoutInvalid(inputs: Properties, issues: readonly z.core.$ZodIssue[]): Properties {
  const valid = structuredClone(inputs);
  for (const { code, path } of issues) {
    const place = valueAt(valid, path.slice(0, -1));
    const last = path.at(-1);
    if (code === "unrecognized_keys" || last === undefined || !(isObject(place) || Array.isArray(place))) continue;
    if (path.length === 1) Reflect.deleteProperty(place, last);
    else Reflect.set(place, last, unknownValue);
  }
  return Object.fromEntries(Object.entries(valid).filter(([, value]) => !isUnknown(value)));
}

/** A value with the defaults of its schema filled in at every depth. What does not fit the schema is left as it is. */
function withDefaults(schema: unknown, value: unknown): unknown {
  if (schema instanceof z.ZodDefault)
    return value === undefined ? schema.def.defaultValue : withDefaults(schema.unwrap(), value);
  if (schema instanceof z.ZodOptional) return withDefaults(schema.unwrap(), value);
  if (schema instanceof z.ZodArray && Array.isArray(value)) return value.map((item) => withDefaults(schema.element, item));
  if (!(schema instanceof z.ZodObject) || !isObject(value)) return value;
  const filled = Object.entries(schema.shape).map(([name, member]) => [name, withDefaults(member, value[name])]);
  return compact({ ...value, ...Object.fromEntries(filled) });
}

/**
 * Inputs without what check would fill in, at every depth, and inside of lists and objects without members the schema does not
 * know: the way a person would declare them.
 */
export function withoutDefaults(kind: Kind, inputs: Properties): Properties {
  const defaults = defaultsOf(kind);
  const isDefault = (property: string, value: unknown): boolean =>
    property in defaults && isSame(kind, property, value, defaults[property]);
  const kept = Object.entries(kind.schema.shape).flatMap(([property, schema]): [string, unknown][] => {
    const value = inputs[property];
    return value === undefined || isDefault(property, value) ? [] : [[property, bare(schema, value)]];
  });
  return compact(Object.fromEntries(kept));
}

/** A value without the defaults and the unknown members of the objects in it. */
function bare(schema: unknown, value: unknown): unknown {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) return bare(schema.unwrap(), value);
  if (schema instanceof z.ZodArray && Array.isArray(value)) return value.map((item) => bare(schema.element, item));
  if (!(schema instanceof z.ZodObject) || !isObject(value)) return value;
  const members = Object.entries(schema.shape).map(([name, member]) => {
    const isDefault = member instanceof z.ZodDefault && sameValue(value[name], member.def.defaultValue);
    return [name, isDefault ? undefined : bare(member, value[name])];
  });
  return compact(Object.fromEntries(members));
}

/** The documented default of each property that has one, read from the schema. */
export function defaultsOf(kind: Kind): Properties {
  return Object.fromEntries(
    Object.entries(kind.schema.shape).flatMap(([property, schema]) =>
      schema instanceof z.ZodDefault ? [[property, schema.def.defaultValue]] : [],
    ),
  );
}

/** Properties that a program has to declare, in their order. */
export function requiredProperties(kind: Kind): string[] {
  return Object.entries(kind.schema.shape).flatMap(([property, schema]) =>
    schema instanceof z.ZodDefault || schema instanceof z.ZodOptional ? [] : [property],
  );
}

/** The words a property may be one of; none where it takes free text. */
export function allowedWords(kind: Kind, property: string): string[] {
  let schema: unknown = kind.schema.shape[property];
  while (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) schema = schema.unwrap();
  return schema instanceof z.ZodEnum ? schema.options.map(String) : [];
}
