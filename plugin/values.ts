import { pathText } from "../api/parse";
import { type Properties, compact, isObject, secretOf, secretSignature, signatureKey, unknownValue } from "../provider/values";
import { RefusedRequestError } from "./token";

/** Values of {@link signatureKey} for objects that are not secrets. */
const signatures = {
  output: "d0e6a833031e9bbcd3f4e8bde6ca49a4",
  resource: "5cf8f73096256a8f31e491e813e4eb8e",
};

/**
 * The engine's placeholders for unknown values. The engine has one placeholder for each type of value, and one placeholder for
 * values of an unknown type.
 */
const unknownValues: ReadonlySet<unknown> = new Set([
  unknownValue,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/**
 * The secret parts of a value: true if the whole value is secret, otherwise the secret parts of its members. A whole list counts as secret
 * if any item is secret, because the order of items may change.
 */
export type SecretParts = true | { readonly [member: string]: SecretParts };

/** Properties of a request with secrets in plain text, and a description of the secret parts. */
export interface ReceivedValues {
  properties: Properties;
  secrets: SecretParts | undefined;
}

/**
 * Reads the properties of a request. The function replaces every placeholder for an unknown value with `unknownValue`, and
 * every resource with the resource's id.
 *
 * @throws RefusedRequestError for a number that is not finite, a secret without a value, or a resource without a value
 */
export function received(wire: unknown): ReceivedValues {
  const { value, secrets } = opened(wire, []);
  return { properties: isObject(value) ? value : {}, secrets };
}

interface Opened {
  value: unknown;
  secrets?: SecretParts | undefined;
}

function opened(wire: unknown, path: readonly PropertyKey[]): Opened {
  if (unknownValues.has(wire)) return { value: unknownValue };
  if (wire === undefined)
    throw new RefusedRequestError("The request marks a value as a secret or a resource, but does not contain the value.");
  if (typeof wire === "number" && !Number.isFinite(wire))
    throw new RefusedRequestError(`${pathText(path)} must be a finite number, not ${wire}.`);
  if (Array.isArray(wire)) {
    const items = wire.map((item, at) => opened(item, [...path, at]));
    return { value: items.map(({ value }) => value), secrets: items.some(({ secrets }) => secrets !== undefined) || undefined };
  }
  if (!isObject(wire)) return { value: wire };
  switch (wire[signatureKey]) {
    case secretSignature:
      return { value: opened(wire["value"], path).value, secrets: true };
    case signatures.output: {
      const inner = "value" in wire ? opened(wire["value"], path) : { value: unknownValue };
      return wire["secret"] === true ? { value: inner.value, secrets: true } : inner;
    }
    case signatures.resource:
      return opened(wire["id"] ?? wire["urn"], path);
    default:
      return openedMembers(wire, path);
  }
}

function openedMembers(wire: Properties, path: readonly PropertyKey[]): Opened {
  const members = Object.entries(wire).map(([name, member]) => [name, opened(member, [...path, name])] as const);
  const secret = members.flatMap(([name, { secrets }]) => (secrets === undefined ? [] : [[name, secrets] as const]));
  return {
    value: Object.fromEntries(members.map(([name, { value }]) => [name, value])),
    secrets: secret.length > 0 ? Object.fromEntries(secret) : undefined,
  };
}

/** Marks the secret parts of properties for a response, and omits members without a value. */
export function written(properties: Properties, secrets: SecretParts | undefined): Properties {
  return markedMembers(compact(properties), secrets ?? {});
}

function marked(value: unknown, secrets: SecretParts | undefined): unknown {
  if (secrets === undefined) return value;
  if (secrets === true || !isObject(value)) return secretOf(value);
  return markedMembers(value, secrets);
}

function markedMembers(value: Properties, secrets: SecretParts): Properties {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, marked(member, partOf(secrets, name))]));
}

function partOf(secrets: SecretParts, name: string): SecretParts | undefined {
  return secrets === true || (Object.hasOwn(secrets, name) ? secrets[name] : undefined);
}

export function bothSecrets(a: SecretParts | undefined, b: SecretParts | undefined): SecretParts | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (a === true || b === true) return true;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...names].map((name) => [name, bothSecrets(a[name], b[name]) as SecretParts]));
}

export function secretProperties(names: readonly string[]): SecretParts | undefined {
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, true]));
}

export function hasOtherSecret(secrets: SecretParts | undefined, names: readonly string[]): boolean {
  return secrets === true || Object.keys(secrets ?? {}).some((name) => !names.includes(name));
}

/** Minimum length of a secret that messages mask, in characters. A shorter secret may occur in a message by chance. */
const minSecretLength = 4;

export function secretTexts({ properties, secrets }: ReceivedValues): string[] {
  return textsIn(properties, secrets).filter((text) => text.length >= minSecretLength);
}

function textsIn(value: unknown, secrets: SecretParts | undefined): string[] {
  if (secrets === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, true));
  if (isObject(value)) {
    return Object.entries(value).flatMap(([name, member]) => textsIn(member, partOf(secrets, name)));
  }
  return secrets === true && (typeof value === "string" || typeof value === "number") ? [String(value)] : [];
}
