import { z } from "zod";

/** `aid`, accepted by every endpoint operation; without it the service uses the token's login account group. */
export const accountGroupQuery = z.object({
  aid: z.string().optional(),
});

/**
 * Identifier of a record in an answer. Text as documented; a number is taken, too, so that one such member does not cost a whole
 * list. One that JavaScript cannot hold exactly is text with all its digits by then (`parseAnswer`).
 */
export const identifier = z.preprocess(
  (given) => (typeof given === "number" && Number.isSafeInteger(given) ? String(given) : given),
  z.string(),
);

/** A list parameter: repeated, or comma-separated (shared/api/README.md, Agents and transfer). */
export function listParameter<const V extends readonly [string, ...string[]]>(values: V) {
  return z
    .preprocess(
      (given) =>
        typeof given === "string"
          ? given.split(",")
          : Array.isArray(given)
            ? given.flatMap((g) => String(g).split(","))
            : given,
      z.array(z.enum(values)),
    )
    .optional();
}

/** A boolean parameter: `true` or `false`, nothing else. */
export const booleanParameter = z.stringbool({ truthy: ["true"], falsy: ["false"], case: "sensitive" }).optional();

/** Paging of most results: their pages are as large as the service makes them. */
export const cursorQuery = accountGroupQuery.extend({ cursor: z.string().optional() });

/** Paging: `max` is a wish whose bounds the service does not state; `cursor` is opaque, from `_links.next.href`. */
export const pagedQuery = accountGroupQuery.extend({
  max: z.coerce.number().int().min(1).optional(),
  cursor: z.string().optional(),
});

export const link = z.looseObject({ href: z.string() });
export const selfLinks = z.looseObject({ self: link.optional() });
export const pageLinks = z.looseObject({ self: link.optional(), next: link.optional() });

/** Text of an error; what is none is left out, so that one odd member does not cost the others. */
const errorText = z.string().optional().catch(undefined);

/** The members of every error shape the service is known to answer with (shared/api/README.md, Errors). */
export const errorBody = z.looseObject({
  type: errorText,
  title: errorText,
  status: z.number().optional().catch(undefined),
  detail: errorText,
  instance: errorText,
  errors: z
    .array(z.union([z.string(), z.looseObject({ code: errorText, field: errorText, message: errorText })]).catch(""))
    .optional()
    .catch(undefined),
  error: errorText,
  error_description: errorText,
  errorMessage: errorText,
});
export type ErrorBody = z.output<typeof errorBody>;
