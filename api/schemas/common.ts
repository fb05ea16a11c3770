import { z } from "zod";

/** `aid`, accepted by every endpoint operation; without it the service uses the token's login account group. */
export const accountGroupQuery = z.object({
  aid: z.string().optional(),
});

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

/** Paging: `max` is a wish whose bounds the service does not state; `cursor` is opaque, from `_links.next.href`. */
export const pagedQuery = accountGroupQuery.extend({
  max: z.coerce.number().int().min(1).optional(),
  cursor: z.string().optional(),
});

export const link = z.looseObject({ href: z.string() });
export const selfLinks = z.looseObject({ self: link.optional() });
export const pageLinks = z.looseObject({ self: link.optional(), next: link.optional() });

/** The members of every error shape the service is known to answer with (shared/api/README.md, Errors). */
export const errorBody = z.looseObject({
  type: z.string().optional(),
  title: z.string().optional(),
  status: z.number().optional(),
  detail: z.string().optional(),
  instance: z.string().optional(),
  errors: z
    .array(
      z.union([
        z.string(),
        z.looseObject({ code: z.string().optional(), field: z.string().optional(), message: z.string().optional() }),
      ]),
    )
    .nullish(),
  error: z.string().optional(),
  error_description: z.string().optional(),
  errorMessage: z.string().optional(),
});
export type ErrorBody = z.output<typeof errorBody>;
