import type { z } from "zod";

/** Options that replace the error messages of zod's parse functions. */
export const inOurWords = { error: (issue: z.core.$ZodRawIssue) => wordingOf(issue) };

const nouns: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function wordingOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${nouns[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}`;
    case "too_small":
      return bound(issue.origin, Number(issue.minimum), issue.inclusive === false ? "more than" : "at least");
    case "too_big":
      return bound(issue.origin, Number(issue.maximum), issue.inclusive === false ? "less than" : "at most");
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_format":
      return `must be ${issue.format === "regex" ? "of the documented form" : `a valid ${issue.format}`}`;
    case "unrecognized_keys":
      return `must not have ${issue.keys.join(", ")}`;
    default:
      return "is not a valid value";
  }
}

function bound(origin: string, limit: number, comparison: string): string {
  if (origin === "string")
    return limit === 1 && comparison === "at least" ? "must not be empty" : `must have ${comparison} ${limit} characters`;
  if (origin === "array" || origin === "set") return `must have ${comparison} ${limit} elements`;
  return `must be ${comparison} ${limit}`;
}
