import { z } from "zod";

/** The parameter `aid`, which every endpoint operation accepts. Without it the service uses the token's login account group. */
export const accountGroupQuery = z.object({
  /** Account group of the request. Default: the login account group of the token's owner. */
  aid: z.string().optional(),
});

/**
 * Identifier of a record in an answer. The documented type is text. A number is accepted as well, so that one number does not
 * make a whole list invalid. `parseAnswer` has already converted numbers that JavaScript cannot represent exactly to text.
 */
export const identifier = z.preprocess(
  (value) => (typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value),
  z.string(),
);

/** Returns the schema of a list parameter: repeated, or comma-separated (docs/service/agents.md, Records). */
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

/** A boolean parameter: only `true` or `false`. */
export const booleanParameter = z.stringbool({ truthy: ["true"], falsy: ["false"], case: "sensitive" }).optional();

/** Paging of most results. The service chooses the size of pages. */
export const cursorQuery = accountGroupQuery.extend({
  /** Beginning of the page: opaque text from `_links.next.href` of the previous page. */
  cursor: z.string().optional(),
});

/** Paging of lists. */
export const pagedQuery = cursorQuery.extend({
  /** Rows on a page, 1 or more. The service may use another number; it does not document the limits. */
  max: z.coerce.number().int().min(1).optional(),
});

/** A link to a record or a page. */
export const link = z.looseObject({
  /** Absolute URL, or a path below the base URL. */
  href: z.string(),
});
export type Link = z.output<typeof link>;

/** Links of a record. */
export const selfLinks = z.looseObject({
  /** Link to the record itself. */
  self: link.optional(),
});
export type SelfLinks = z.output<typeof selfLinks>;

/** Links of a page. Unreadable links make the page unreadable, since records would be missed. */
export const pageLinks = z.looseObject({
  /** Link to the page itself. */
  self: link.optional(),
  /** Link to the next page; absent on the last one. */
  next: link.optional().meta({ owned: true }),
});
export type PageLinks = z.output<typeof pageLinks>;

/** Text of an error. A value of another type is ignored, so that the other members stay valid. */
const errorText = z.string().optional().catch(undefined);

/** The members of all known error shapes (docs/service/errors.md, Shapes). */
export const errorBody = z.looseObject({
  /** URI of the kind of problem. */
  type: errorText,
  /** Short summary of the problem. */
  title: errorText,
  /** HTTP status of the answer. */
  status: z.number().optional().catch(undefined),
  /** The error in this case. */
  detail: errorText,
  /** Place of the problem, usually the path of the request. */
  instance: errorText,
  /** Problems, one for each invalid member. */
  errors: z
    .array(
      z
        .union([
          z.string(),
          z.looseObject({
            /** Code of the problem, if there is one. */
            code: errorText,
            /** Name of the invalid member. */
            field: errorText,
            /** Description of the mistake. */
            message: errorText,
          }),
        ])
        .catch(""),
    )
    .optional()
    .catch(undefined),
  /** Code in the style of OAuth, such as `invalid_token`. */
  error: errorText,
  /** The meaning of the code in this case. */
  error_description: errorText,
  /** The error, if a gateway answers in place of the service. */
  errorMessage: errorText,
});
export type ErrorBody = z.output<typeof errorBody>;

/** Color as `#rrggbb`. The service refuses text that is not a color (recorded). The exact syntax is not known. */
export const color = z.string().regex(/^#[0-9a-f]{6}$/i, "a color such as #d9d9d9");
