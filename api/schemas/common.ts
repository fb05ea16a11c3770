import { z } from "zod";

/** `aid`, accepted by every endpoint operation; without it the service uses the token's login account group. */
export const accountGroupQuery = z.object({
  /** Account group to ask. Default: the one that the token's owner logs in to. */
  aid: z.string().optional(),
});

/**
 * Identifier of a record in an answer. Text as documented; a number is taken, too, so that one such member does not cost a whole
 * list. One that JavaScript cannot hold exactly is text with all its digits by then (`parseAnswer`).
 */
export const identifier = z.preprocess(
  (value) => (typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value),
  z.string(),
);

/** A list parameter: repeated, or comma-separated (docs/service/agents.md, Records). */
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

/** A boolean parameter: `true` or `false`, nothing else. */
export const booleanParameter = z.stringbool({ truthy: ["true"], falsy: ["false"], case: "sensitive" }).optional();

/** Paging of most results: their pages are as large as the service makes them. */
export const cursorQuery = accountGroupQuery.extend({
  /** Where the page begins: opaque text from `_links.next.href` of the page before. */
  cursor: z.string().optional(),
});

/** Paging of lists. */
export const pagedQuery = cursorQuery.extend({
  /** Rows on a page, 1 or more. The service may take another number; its bounds are not stated. */
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

/** Links of a page. A page is not read if they are not readable: records would be missed. */
export const pageLinks = z.looseObject({
  /** Link to the page itself. */
  self: link.optional(),
  /** Link to the following page; absent on the last one. */
  next: link.optional().meta({ owned: true }),
});
export type PageLinks = z.output<typeof pageLinks>;

/** Text of an error; what is none is left out, so that one odd member does not cost the others. */
const errorText = z.string().optional().catch(undefined);

/** The members of every error shape the service is known to answer with (docs/service/errors.md, Shapes). */
export const errorBody = z.looseObject({
  /** URI of the kind of problem. */
  type: errorText,
  /** Short summary of the problem. */
  title: errorText,
  /** HTTP status of the answer. */
  status: z.number().optional().catch(undefined),
  /** The error in this case. */
  detail: errorText,
  /** Where it happened, usually the path of the request. */
  instance: errorText,
  /** A problem for each wrong member. */
  errors: z
    .array(
      z
        .union([
          z.string(),
          z.looseObject({
            /** Code of the problem, where there is one. */
            code: errorText,
            /** Member that is wrong. */
            field: errorText,
            /** The mistake in the field. */
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

/** `#rrggbb`; text that is no color is refused (recorded). The exact syntax the service takes is not known. */
export const color = z.string().regex(/^#[0-9a-f]{6}$/i, "a color such as #d9d9d9");
