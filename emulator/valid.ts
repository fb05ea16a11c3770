import type { z } from "zod";
import { EmulatorError } from "./errors";
import { inOurWords } from "./wording";

/** @throws EmulatorError with the names of all invalid members */
export function valid<S extends z.ZodType>(what: string, schema: S, value: unknown, words = inOurWords): z.output<S> {
  const parsed = schema.safeParse(value, words);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => `${path.join(".")}${path.length > 0 ? " " : ""}${message}`);
  throw new EmulatorError("INVALID_OPTION", `${what} for the emulator is invalid: ${issues.join("; ")}.`);
}
