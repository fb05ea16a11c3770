import { z } from "zod";
import { property } from "../property";
import { sameSet } from "../values";

/** Properties that every kind of record has. */
export const commonProperties = {
  accountGroupId: property(z.string().min(1).optional(), { setOn: "create", leftToService: true }),
  adopt: property(z.boolean().optional(), { role: "provider-option" }),
};

/** Whether two ids, or two lists of ids, are equal. The digits of a UUID have no case (RFC 9562). */
export function sameIds(a: unknown, b: unknown): boolean {
  return sameSet(folded(a), folded(b));
}

function folded(ids: unknown): unknown {
  if (Array.isArray(ids)) return ids.map(folded);
  return typeof ids === "string" ? ids.toLowerCase() : ids;
}
