import { z } from "zod";
import type { Kind } from "../provider/kind";
import { isUnknown, type Properties, stringOf } from "../provider/values";

/** Gives the records of a test ids of the shape that the service gives, one after the other. */
export class SampleIds {
  #count = 0;

  /** The id of a new record: the one that the program declares, if the kind lets it, as for agents. */
  next(kind: Kind, inputs: Properties): string {
    const declared = Object.keys(kind.outputSchema.shape)
      .filter((name) => isRequiredText(kind, name))
      .map((name) => stringOf(inputs[name]))
      .find((id) => id !== undefined && !isUnknown(id));
    if (declared !== undefined) return declared;
    this.#count += 1;
    return following(kind.sampleId ?? otherSampleId, this.#count);
  }
}

/** For kinds without records: a run has the id of its test. */
const otherSampleId = "281474976710706";

/** The id that comes so many after another of the same shape. */
function following(id: string, count: number): string {
  const digits = /[0-9]+$/.exec(id)?.[0] ?? "";
  const next = (BigInt(digits || "0") + BigInt(count)).toString().padStart(digits.length, "0");
  return id.slice(0, id.length - digits.length) + next;
}

/**
 * Outputs of a new record, beside its inputs, as far as the declaration of its kind tells them: a text that each record has is its id, and
 * a list is empty.
 */
export function sampleOutputs(kind: Kind, id: string): Properties {
  return Object.fromEntries(
    Object.entries(kind.outputSchema.shape).flatMap(([name, schema]) => {
      const value = sampleOf(schema, id);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function sampleOf(schema: unknown, id: string): unknown {
  if (schema instanceof z.ZodString) return id;
  if (schema instanceof z.ZodArray) return [];
  if (!(schema instanceof z.ZodObject)) return undefined;
  const members = Object.entries(schema.shape).map(([name, member]) => [name, sampleOf(member, id)] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function isRequiredText(kind: Kind, name: string): boolean {
  const shape: Readonly<Record<string, unknown>> = kind.outputSchema.shape;
  return shape[name] instanceof z.ZodString;
}
