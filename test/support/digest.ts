import { createHash } from "node:crypto";

/** Returns the digest that the emulator's control API shows instead of a secret. */
export function digest(secret: unknown): string {
  return `sha256:${createHash("sha256").update(String(secret)).digest("hex")}`;
}
