import { z } from "zod";
import { knownWordsOf } from "../api";
import { pathText } from "../api/parse";
import { explain, unknownWord } from "./explain";
import type { Advice, CheckFailure, Kind } from "./kind";
import { isSame } from "./shape";
import { type Properties, compact, isObject, isUnknown, sameValue, unknownValue, valueAt } from "./values";

export interface CheckResult {
  inputs: Properties;
  /**
   * All failed checks of the resource. The engine stops at the first invalid resource, so `check` reports all failures of that resource at
   * once.
   */
  failures: CheckFailure[];
  /** Notes about values that the service accepts but that may be mistakes. */
  advice?: Advice[];
}

/**
 * Checks the inputs that a program declares, and fills in the service's defaults. In a preview, unknown values pass the check.
 *
 * @param stackDefaults values from the stack settings, which take precedence over the service's defaults
 * @param exists whether the resource is in the state; false adds advice about new records
 */
export function check(kind: Kind, declared: Properties, stackDefaults: Properties = {}, exists = true): CheckResult {
  // A bulk transfer does not have the property `accountGroupId`, because each agent has its own target account group.
  const applicable = Object.entries(compact(stackDefaults)).filter(([property]) => property in kind.schema.shape);
  const filled = kind.takesDefaultAccountGroup === false ? {} : Object.fromEntries(applicable);
  const inputs = withDefaults(kind.schema, { ...filled, ...compact(declared) }) as Properties;
  const issues =
    kind.schema.safeParse(measurable(inputs)).error?.issues.filter((issue) => !isUnknown(valueAt(inputs, issue.path))) ?? [];
  const valid = withoutInvalid(inputs, issues);
  const broken = kind.rules(valid, (property) => inputs[property] !== undefined);
  const advice = [
    ...unknownWords(kind.schema, valid),
    ...hiddenEnds(kind, valid),
    ...(kind.advice?.(valid) ?? []),
    ...(exists ? [] : (kind.newRecordAdvice?.(inputs) ?? [])),
  ];
  return {
    inputs,
    ...(advice.length > 0 && { advice }),
    failures: [...issues.flatMap((issue) => explain(kind.schema, issue, inputs)), ...broken],
  };
}

/**
 * Replaces objects that would make the validation library zod throw an error. To check a length limit, zod reads the member `length` or
 * `size` even if the value is an object.
 */
function measurable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(measurable);
  if (!isObject(value)) return value;
  const isMeasured = (name: string): boolean => name === "length" || name === "size";
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, isMeasured(name) && isObject(item) ? null : measurable(item)]),
  );
}

/** Returns the valid inputs, so that rules that compare properties run even if some inputs are invalid. */
function withoutInvalid(inputs: Properties, issues: readonly z.core.$ZodIssue[]): Properties {
  // Valid inputs are not copied, because a copy takes longer than the check.
  const valid = issues.length === 0 ? inputs : structuredClone(inputs);
  for (const { code, path } of issues) {
    const place = valueAt(valid, path.slice(0, -1));
    const last = path.at(-1);
    if (code === "unrecognized_keys" || last === undefined || !(isObject(place) || Array.isArray(place))) continue;
    if (path.length === 1) Reflect.deleteProperty(place, last);
    else Reflect.set(place, last, unknownValue);
  }
  return Object.fromEntries(Object.entries(valid).filter(([, value]) => !isUnknown(value)));
}

/** Fills in the schema's defaults for a value and its nested objects. A value that does not match the schema stays unchanged. */
function withDefaults(schema: unknown, value: unknown): unknown {
  if (schema instanceof z.ZodDefault)
    return value === undefined ? schema.def.defaultValue : withDefaults(schema.unwrap(), value);
  if (schema instanceof z.ZodOptional) return withDefaults(schema.unwrap(), value);
  if (schema instanceof z.ZodArray && Array.isArray(value)) return value.map((item) => withDefaults(schema.element, item));
  if (!(schema instanceof z.ZodObject) || !isObject(value)) return value;
  const filled = Object.entries(schema.shape).map(([name, member]) => [name, withDefaults(member, value[name])]);
  return compact({ ...value, ...Object.fromEntries(filled) });
}

/** Returns the inputs as a person would declare them, without default values and unknown members. */
export function withoutDefaults(kind: Kind, inputs: Properties): Properties {
  const defaults = defaultsOf(kind);
  const isDefault = (property: string, value: unknown): boolean =>
    property in defaults && isSame(kind, property, value, defaults[property]);
  const kept = Object.entries(kind.schema.shape).flatMap(([property, schema]): [string, unknown][] => {
    const value = inputs[property];
    return value === undefined || isDefault(property, value) ? [] : [[property, stripDefaults(schema, value)]];
  });
  return compact(Object.fromEntries(kept));
}

function stripDefaults(schema: unknown, value: unknown): unknown {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) return stripDefaults(schema.unwrap(), value);
  if (schema instanceof z.ZodArray && Array.isArray(value)) return value.map((item) => stripDefaults(schema.element, item));
  if (!(schema instanceof z.ZodObject) || !isObject(value)) return value;
  const members = Object.entries(schema.shape).map(([name, member]) => {
    const isDefault = member instanceof z.ZodDefault && sameValue(value[name], member.def.defaultValue);
    return [name, isDefault ? undefined : stripDefaults(member, value[name])];
  });
  return compact(Object.fromEntries(members));
}

export function defaultsOf(kind: Kind): Properties {
  return Object.fromEntries(
    Object.entries(kind.schema.shape).flatMap(([property, schema]) =>
      schema instanceof z.ZodDefault ? [[property, schema.def.defaultValue]] : [],
    ),
  );
}

export function requiredProperties(kind: Kind): string[] {
  return Object.entries(kind.schema.shape).flatMap(([property, schema]) =>
    schema instanceof z.ZodDefault || schema instanceof z.ZodOptional ? [] : [property],
  );
}

/** Returns a note for each name with an invisible character at its beginning or end. */
function hiddenEnds({ identity }: Kind, inputs: Properties): CheckFailure[] {
  return identity.flatMap((path) => {
    const value = inputs[path];
    const end = typeof value === "string" ? /^[\s\p{C}]|[\s\p{C}]$/u.exec(value)?.[0] : undefined;
    if (end === undefined) return [];
    const code = (end.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return [
      {
        path,
        reason: `begins or ends with an invisible character (U+${code}): remove it, or other programs will not find the name`,
      },
    ];
  });
}

/** Returns a note for each declared enumeration value that this package does not know but that the service may accept. */
function unknownWords(schema: unknown, value: unknown, path: readonly PropertyKey[] = []): Advice[] {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) return unknownWords(schema.unwrap(), value, path);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((item, i) => unknownWords(schema.element, item, [...path, i]));
  if (schema instanceof z.ZodObject && isObject(value))
    return Object.entries(schema.shape).flatMap(([name, member]) => unknownWords(member, value[name], [...path, name]));
  const known =
    schema instanceof z.ZodString && !isUnknown(value) && typeof value === "string" ? knownWordsOf(schema) : undefined;
  if (known === undefined || known.includes(String(value))) return [];
  return [{ path: pathText(path), value: String(value), reason: unknownWord(String(value), known) }];
}

/** Returns a property's known enumeration values, or an empty list if the property is not an enumeration. */
export function allowedWords(kind: Kind, property: string): string[] {
  let schema: unknown = kind.schema.shape[property];
  while (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) schema = schema.unwrap();
  if (schema instanceof z.ZodEnum) return schema.options.map(String);
  return schema instanceof z.ZodString ? [...(knownWordsOf(schema) ?? [])] : [];
}
