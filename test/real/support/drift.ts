import type { DriftReport } from "../../../cli/commands/drift/data";
import type { Run, Stack, StateResource } from "./stack";
import { call } from "../../support/call";

/** Parses the output of `drift --json`. */
export function report(run: Run): DriftReport {
  const { data } = JSON.parse(run.stdout) as { data?: DriftReport };
  if (!data) throw new Error(`no report:\n${run.text}`);
  return data;
}

/** Returns the warnings of a command with `--json`. */
export function warnings(run: Run): string[] {
  return (JSON.parse(run.stdout) as { warnings?: string[] }).warnings ?? [];
}

/** Changes stored members that no operation of the service changes. */
export async function door(stack: Stack, collection: string, id: string, values: object): Promise<void> {
  await call(stack.emulator.url, "PATCH", `/_emulator/records/${collection}/${id}`, values);
}

/** Replaces `{ $id: name }` with the id of a resource. */
export function resolved(value: unknown, state: Record<string, StateResource>): unknown {
  if (Array.isArray(value)) return value.map((item) => resolved(item, state));
  if (typeof value !== "object" || value === null) return value;
  if ("$id" in value) return state[String(value.$id)]?.id;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolved(member, state)]));
}

/** Returns each drifted resource of a report as one line. */
export function lines({ stacks, unmanaged = [] }: DriftReport): string[] {
  return [
    ...stacks.flatMap(({ stack, changed, missing }) => [
      ...changed.map(({ name, properties }) => `${stack} ~ ${name} ${properties.map(({ property }) => property).join(",")}`),
      ...missing.map(({ name }) => `${stack} - ${name}`),
    ]),
    ...unmanaged.map(({ kind, name }) => `? ${kind} ${name}`),
  ].toSorted();
}

/** Waits for a condition, for at most a few minutes. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 4_800; tries += 1) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`still waiting for ${what}`);
}
