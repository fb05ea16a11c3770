import { createHash } from "node:crypto";
import { allOperations } from "../api/schemas";

/** Names of the members that the API contracts mark as secret, such as `password`. */
export const secretMembers: ReadonlySet<string> = new Set(
  allOperations().flatMap(({ body, response }) => [body, response].flatMap((schema) => secretsOf(schema))),
);

function secretsOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null || !("shape" in schema)) return [];
  // Only a zod object has a shape with the schema of each member.
  const shape = schema.shape as Record<string, { meta?: () => { sensitive?: boolean } | undefined }>;
  return Object.entries(shape).flatMap(([name, member]) => (member.meta?.()?.sensitive === true ? [name] : []));
}

/** Replaces all secret members of a value, at any depth. */
export function withoutSecrets(value: unknown, replacement: (secret: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, replacement));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      secretMembers.has(name) ? replacement(member) : withoutSecrets(member, replacement),
    ]),
  );
}

/** Returns the digest of a secret. Digests make it possible to compare secrets without showing them. */
export function digestOf(secret: unknown): string {
  return `sha256:${createHash("sha256").update(String(secret)).digest("hex")}`;
}
