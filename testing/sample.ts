import { z } from "zod";
import type { Kind } from "../provider/kind";
import { isUnknown, type Properties, stringOf } from "../provider/values";

/** Generates consecutive ids in the service's format. */
export class SampleIds {
  #count = 0;

  /** Returns the id that the program declares (such as `agentId`), or a new sample id. */
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

/** Sample id of a resource type that has no sample id of its own, such as a test run. */
const otherSampleId = "281474976710706";

/** Returns the id that is `count` steps after another id, in the same format. */
function following(id: string, count: number): string {
  const digits = /[0-9]+$/.exec(id)?.[0] ?? "";
  const next = (BigInt(digits || "0") + BigInt(count)).toString().padStart(digits.length, "0");
  return id.slice(0, id.length - digits.length) + next;
}

/** Returns sample outputs of a new record. Required string outputs contain the record's id, and arrays are empty. */
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
