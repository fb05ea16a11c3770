import { z } from "zod";
import { pathText } from "../api/parse";
import type { CheckFailure } from "./kind";
import { valueAt } from "./values";

type ValidationIssue = z.core.$ZodIssue;

/**
 * Describes what is wrong and what is allowed, and suggests the allowed word that is closest. Never shows the value, since any property
 * may hold a secret.
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

function items(count: number | bigint): string {
  return `${count} ${Number(count) === 1 ? "item" : "items"}`;
}

/** Returns the name of a value's type in messages. */
export function typeName(value: unknown): string {
  if (Array.isArray(value)) return "list";
  return typeof value;
}

/** Returns the name of a type with its article. */
export function article(type: string): string {
  const name = type === "array" ? "list" : type;
  return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
}

function list(words: readonly string[]): string {
  return words.join(", ");
}

function suggest(word: string, known: readonly string[]): string {
  const given = word.toLowerCase();
  const near =
    known.find((candidate) => isNear(given, candidate.toLowerCase())) ??
    known.find((candidate) => given.length > 3 && candidate.toLowerCase().includes(given));
  return near === undefined ? "" : ` (did you mean ${near}?)`;
}

/** Whether few edits turn one word into the other. Compares lengths first, since the distance of long words is slow to compute. */
function isNear(given: string, candidate: string): boolean {
  const most = Math.floor(candidate.length / 3);
  return Math.abs(given.length - candidate.length) <= most && distance(given, candidate) <= most;
}

/** Returns the object schema at a path, through lists and optional members. */
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

/** Counts the edits between two words: letters changed, added, deleted, or swapped with their neighbor. */
function distance(a: string, b: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const keep = cost(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? cost(before, j - 2) + 1 : Infinity;
      next.push(Math.min(keep, swapped, cost(row, j) + 1, cost(next, j - 1) + 1));
    }
    [before, row] = [row, next];
  }
  return cost(row, b.length);
}

function cost(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
