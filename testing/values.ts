import * as pulumi from "@pulumi/pulumi";
import { isObject, isUnknown, type Properties, unknownValue } from "../provider/values";

/** Properties as Pulumi passes them to mocks, in the form in which a provider gets them. */
interface MockedValues {
  /** Secrets are open, and unknown values are the engine's text for them. */
  readonly values: Properties;
  /** Properties with a secret. Pulumi marks the whole property, however deep the secret is in it. */
  readonly secrets: ReadonlySet<string>;
}

export function fromMocks(properties: Properties): MockedValues {
  const open = Object.entries(properties).map(([name, value]) => [name, pulumi.runtime.unwrapRpcSecret(value)]);
  const secrets = Object.keys(properties).filter((name) => pulumi.runtime.isRpcSecret(properties[name]));
  // Each property gives one property.
  const values = replaced(Object.fromEntries(open), pulumi.isUnknown, unknownValue) as Properties;
  return { values, secrets: new Set(secrets) };
}

/** The other way round. */
export function toMocks({ values, secrets }: MockedValues): Properties {
  const passed = Object.entries(values).map(([name, value]) => [name, replaced(value, isUnknown, pulumi.unknown)] as const);
  return Object.fromEntries(passed.map(([name, value]) => [name, secrets.has(name) ? pulumi.secret(value) : value]));
}

/** A value in which what passes a test is replaced, at any depth. */
function replaced(value: unknown, test: (part: unknown) => boolean, by: unknown): unknown {
  if (test(value)) return by;
  if (Array.isArray(value)) return value.map((item) => replaced(item, test, by));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replaced(member, test, by)]));
}
