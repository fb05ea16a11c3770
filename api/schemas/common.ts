import { z } from "zod";

/**
 * The parameter `aid`, which every endpoint operation accepts. Without `aid`, the service uses the login account group of the
 * token's user.
 */
export const accountGroupQuery = z.object({
  /** Account group that the request applies to. Default: the login account group of the token's user. */
  aid: z.string().optional(),
});

/**
 * Identifier of a record in a response. The documented type is a string. The schema also accepts numbers, because a single
 * numeric identifier would otherwise make a whole list invalid. `parseAnswer` has already converted large numbers to strings.
 */
export const identifier = z.preprocess(
  (value) => (typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value),
  z.string(),
);

/**
 * Returns the schema of a list parameter. A request repeats the parameter or separates its values with commas (docs/service/agents.md,
 * Records).
 */
export function listParameter<const V extends readonly [string, ...string[]]>(values: V) {
  return z
    .preprocess(
      (value) =>
        typeof value === "string"
          ? value.split(",")
          : Array.isArray(value)
            ? value.flatMap((g) => String(g).split(","))
            : value,
      z.array(z.enum(values)),
    )
    .optional();
}

/** A parameter that is `true` or `false`. */
export const booleanParameter = z.stringbool({ truthy: ["true"], falsy: ["false"], case: "sensitive" }).optional();

/** Query parameters of list operations that have no `max` parameter, so the service chooses the page size. */
export const cursorQuery = accountGroupQuery.extend({
  /** Cursor of the requested page, from `_links.next.href` of the previous page. */
  cursor: z.string().optional(),
});

export const pagedQuery = cursorQuery.extend({
  /** Requested number of items per page, at least 1. The service may return a different number of items. */
  max: z.coerce.number().int().min(1).optional(),
});

/** A link to a record or a page. */
export const link = z.looseObject({
  /** Absolute URL, or a path below the base URL. */
  href: z.string(),
});
export type Link = z.output<typeof link>;

/** Links of a record, list or response. */
export const selfLinks = z.looseObject({
  /** Link to the record itself. */
  self: link.optional(),
});
export type SelfLinks = z.output<typeof selfLinks>;

/** Links of a page. An unreadable link to the next page causes an error, because the client would otherwise miss further pages. */
export const pageLinks = z.looseObject({
  /** Link to the page itself. */
  self: link.optional(),
  /** Link to the next page, absent on the last page. */
  next: link.optional().meta({ owned: true }),
});
export type PageLinks = z.output<typeof pageLinks>;

/** A string member of an error body. Values of other types are ignored, so that the rest of the error body stays readable. */
const errorText = z.string().optional().catch(undefined);

/** The members of all known error formats (docs/service/errors.md, Shapes). */
export const errorBody = z.looseObject({
  /** URI that identifies the type of the problem. */
  type: errorText,
  /** Short summary of the problem. */
  title: errorText,
  /** HTTP status of the response. */
  status: z.number().optional().catch(undefined),
  /** Description of the specific problem. */
  detail: errorText,
  /** Location of the problem, usually the path of the request. */
  instance: errorText,
  /** The problems, one for each invalid member. */
  errors: z
    .array(
      z
        .union([
          z.string(),
          z.looseObject({
            /** Code of the problem, if the service defines a code. */
            code: errorText,
            /** Name of the invalid member. */
            field: errorText,
            /** Description of the problem. */
            message: errorText,
          }),
        ])
        .catch(""),
    )
    .optional()
    .catch(undefined),
  /** Error code of OAuth 2.0, such as `invalid_token`. */
  error: errorText,
  /** Description of the OAuth 2.0 error. */
  error_description: errorText,
  /** Description of an error that a gateway reported before the request reached the service. */
  errorMessage: errorText,
});
export type ErrorBody = z.output<typeof errorBody>;

/** Color as `#rrggbb`. The service refuses other color formats (observed), but does not document the exact syntax. */
export const color = z.string().regex(/^#[0-9a-f]{6}$/i, "a color such as #d9d9d9");
