import * as pulumi from "@pulumi/pulumi";
import { isObject, isUnknown, type Properties, unknownValue } from "../provider/values";

/** Properties from Pulumi's mocks, converted to the format that a provider receives. */
interface MockedValues {
  /** Properties with secrets in plain text, and with the engine's string in place of unknown values. */
  readonly values: Properties;
  /**
   * Names of properties that contain a secret. Pulumi marks a whole property as secret, even if only a part of the property is
   * secret.
   */
  readonly secrets: ReadonlySet<string>;
}

export function fromMocks(properties: Properties): MockedValues {
  const open = Object.entries(properties).map(([name, value]) => [name, pulumi.runtime.unwrapRpcSecret(value)]);
  const secrets = Object.keys(properties).filter((name) => pulumi.runtime.isRpcSecret(properties[name]));
  // The cast is safe, because `replaced` returns an object for an object.
  const values = replaced(Object.fromEntries(open), pulumi.isUnknown, unknownValue) as Properties;
  return { values, secrets: new Set(secrets) };
}

/** Converts properties to the format that Pulumi's mocks return. */
export function toMocks({ values, secrets }: MockedValues): Properties {
  const passed = Object.entries(values).map(([name, value]) => [name, replaced(value, isUnknown, pulumi.unknown)] as const);
  return Object.fromEntries(passed.map(([name, value]) => [name, secrets.has(name) ? pulumi.secret(value) : value]));
}

function replaced(value: unknown, test: (part: unknown) => boolean, by: unknown): unknown {
  if (test(value)) return by;
  if (Array.isArray(value)) return value.map((item) => replaced(item, test, by));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replaced(member, test, by)]));
}
