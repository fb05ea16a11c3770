import { createHash } from "node:crypto";

/** What the emulator's control API shows in place of a secret. */
export function digest(secret: unknown): string {
  return `sha256:${createHash("sha256").update(String(secret)).digest("hex")}`;
}
