import { z } from "zod";

/** A word from a list that the service may extend. The type also allows unknown words, which the service accepts or refuses. */
export type OpenValue<W extends string> = W | (string & {});

/** Returns the schema of a word from a list that the service may extend. */
export function openEnum<const W extends readonly string[]>(words: W): z.ZodType<OpenValue<W[number]>, OpenValue<W[number]>> {
  return z.string().min(1).meta({ knownWords: words });
}

/** Returns the known words of a schema from `openEnum`; undefined for any other schema. */
export function knownWordsOf(schema: z.ZodType): readonly string[] | undefined {
  return schema.meta()?.["knownWords"] as readonly string[] | undefined;
}
