import fc from "fast-check";
import { z } from "zod";
import { knownWordsOf } from "../../api";
import type { Kind } from "../../provider/kind";
import type { RecordKindName } from "../../provider/registry";
import { records } from "../../provider/registry";
import { merged, text } from "../support/arbitraries";
import { kindCases } from "../support/kinds";

type Values = Record<string, unknown>;

/** Returns values that a schema accepts. Strings are valid names: any non-empty text. */
function fromSchema(schema: unknown): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) {
    return fc.option(fromSchema(schema.unwrap()), { nil: undefined });
  }
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodNumber)
    return fc.integer({ min: schema.minValue ?? 0, max: Math.min(schema.maxValue ?? 100_000, 1_000_000) });
  const known = schema instanceof z.ZodString ? knownWordsOf(schema) : undefined;
  if (known) return fc.constantFrom(...known, "new-word");
  if (schema instanceof z.ZodString) return text(Math.min(schema.maxLength ?? 80, 80));
  if (schema instanceof z.ZodArray) return fc.array(fromSchema(schema.element), { minLength: 1, maxLength: 4 });
  if (schema instanceof z.ZodObject) {
    const members = Object.entries(schema.shape).map(([name, member]) => [name, fromSchema(member)] as const);
    return fc.record(Object.fromEntries(members));
  }
  throw new Error(`no arbitrary for ${String(schema)}`);
}

/** Returns values that a schema accepts, except values that requests cannot contain. */
const others = (schema: unknown, values: readonly string[] = []) =>
  fromSchema(schema).filter((value) => !values.some((other) => other === value));

/** Returns valid inputs of a resource type. `labels` are ids of existing labels. */
export function validInputs(name: RecordKindName, labels: readonly string[]): fc.Arbitrary<Values> {
  const { schema, providerOptions } = records[name] as Kind;
  const declared = Object.entries(schema.shape).filter(([property]) => !providerOptions.includes(property));
  const shape = Object.fromEntries(declared) as Values;
  const account = fc.constantFrom(undefined, "1001");
  return merged(
    fromSchema(z.object(shape as z.core.$ZodShape)) as fc.Arbitrary<Values>,
    fc.record({ accountGroupId: account }),
    fc.record(
      Object.fromEntries(reportedOnly(records[name]).map(([property, values]) => [property, others(shape[property], values)])),
    ),
    kindCases[name].inputs?.(labels) ?? fc.constant({}),
  );
}

/** Returns the properties with values that the service reports and no request accepts, with those values. */
export function reportedOnly({ properties }: Kind): [string, readonly string[]][] {
  return Object.entries(properties).flatMap(([name, { reportedOnly: values }]) => (values ? [[name, values]] : []));
}
