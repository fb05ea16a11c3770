import { z } from "zod";
import { property } from "../property";

/** Properties that every kind of record has. */
export const commonProperties = {
  accountGroupId: property(z.string().min(1).optional(), { setOn: "create", leftToService: true }),
  adopt: property(z.boolean().optional(), { role: "provider-option" }),
};
