import { z } from "zod";
import { suggestion } from "../api/error-text";
import { pathText } from "../api/parse";
import type { CheckFailure } from "./kind";
import { valueAt } from "./values";

type ValidationIssue = z.core.$ZodIssue;

/**
 * Describes a failed check with the allowed values, and suggests the closest allowed value. The description omits the declared value, which
 * may be a secret.
 */
export function explain(schema: z.ZodObject, issue: ValidationIssue, inputs: unknown): CheckFailure[] {
  if (issue.code === "unrecognized_keys") {
    const known = Object.keys(schemaAt(schema, issue.path)?.shape ?? {});
    return issue.keys.map((key) => ({
      path: pathText([...issue.path, key]),
      reason: `is not a property${suggest(key, known)}; the properties are ${list(known)}`,
    }));
  }
  return [{ path: pathText(issue.path), reason: reasonOf(issue, valueAt(inputs, issue.path)) }];
}

function reasonOf(issue: ValidationIssue, value: unknown): string {
  if (value === undefined) return "is required";
  if (value === null) return "has no value (undefined in a list)";
  if (typeof value === "number" && !Number.isFinite(value)) return `must be a finite number, not ${value}`;
  switch (issue.code) {
    case "invalid_value": {
      const allowed = issue.values.map(String);
      return `must be one of ${list(allowed)}${typeof value === "string" ? suggest(value, allowed) : ""}`;
    }
    case "invalid_type":
      return `must be ${article(issue.expected === "int" ? "whole number" : issue.expected)}, not ${article(typeName(value))}`;
    case "too_small":
      if (issue.origin === "string") return "must not be empty";
      return issue.origin === "array" ? `must have at least ${items(issue.minimum)}` : `must be at least ${issue.minimum}`;
    case "too_big":
      if (issue.origin === "string") return `must be at most ${String(issue.maximum)} characters long`;
      return issue.origin === "array" ? `must have at most ${items(issue.maximum)}` : `must be at most ${issue.maximum}`;
    case "invalid_format":
      return `must be ${issue.message}`;
    default:
      return issue.message;
  }
}

/** Describes an enumeration value that this package does not know, although the service may accept it. */
export function unknownWord(word: string, known: readonly string[]): string {
  return `is not a value that this version knows${suggest(word, known)}, so only the service can check it. Known values: ${list(known)}`;
}

function items(count: number | bigint): string {
  return `${count} ${Number(count) === 1 ? "item" : "items"}`;
}

export function typeName(value: unknown): string {
  if (Array.isArray(value)) return "list";
  return typeof value;
}

export function article(type: string): string {
  const name = type === "array" ? "list" : type;
  return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
}

function list(words: readonly string[]): string {
  return words.join(", ");
}

function suggest(word: string, known: readonly string[]): string {
  const near = suggestion(word, known);
  if (near !== "" || word.length <= 3) return near;
  const longer = known.find((candidate) => candidate.toLowerCase().includes(word.toLowerCase()));
  return longer === undefined ? "" : ` (did you mean ${longer}?)`;
}

/** Returns the schema of the object at a path. The path may contain list indexes and names of optional members. */
function schemaAt(schema: z.ZodObject, path: readonly PropertyKey[]): z.ZodObject | undefined {
  let at: unknown = schema;
  for (const part of path) {
    at = unwrap(at);
    if (at instanceof z.ZodObject) at = at.shape[String(part)];
    else if (at instanceof z.ZodArray) at = at.element;
    else return undefined;
  }
  at = unwrap(at);
  return at instanceof z.ZodObject ? at : undefined;
}

function unwrap(schema: unknown): unknown {
  return schema instanceof z.ZodDefault || schema instanceof z.ZodOptional ? unwrap(schema.unwrap()) : schema;
}
