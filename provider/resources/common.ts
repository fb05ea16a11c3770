import { z } from "zod";

/** Inputs of every kind. */
export const commonInputs = {
  /**
   * Account group (`aid`) the record lives in. Default: the stack's `endpoint-monitoring:accountGroupId`, else the token's own.
   * Changing it replaces.
   */
  accountGroupId: z.string().min(1).optional(),
  /**
   * Takes over a record that is there already with the same name, instead of creating a second one; properties that can change
   * in place are then set as declared. Exactly one such record, else an error that lists them. It may stay in the program: a
   * resource that exists is not affected. Default: false, and an identical record that is there already is an error.
   */
  adopt: z.boolean().optional(),
};
