import { check } from "../../provider/check";
import type { Properties } from "../../provider/values";
import type { AcceptedResource } from "./accepted";

/**
 * Which of the properties that could be placed must not be, because others that go with them stay as they are: an agent selector
 * without its list is a declaration that check refuses. As many as possible are placed.
 *
 * @param placed what each would say; undefined for one that goes
 */
export function heldBack(
  { kind, inputs }: AcceptedResource,
  placed: Properties,
): { properties: string[]; why: string } | undefined {
  const failureOf = (values: Properties) => check(kind, { ...inputs, ...values }).failures[0];
  const failure = failureOf(placed);
  // What was refused before is not made worse.
  if (!failure || failureOf({})) return undefined;
  const values = new Map(Object.entries(placed));
  const kept: Properties = {};
  const fits = (group: readonly string[]): boolean =>
    !failureOf({ ...kept, ...Object.fromEntries(group.map((name) => [name, values.get(name)])) });
  for (let next = groupsOf([...values.keys()]).find(fits); next; next = groupsOf([...values.keys()]).find(fits)) {
    for (const name of next) {
      kept[name] = values.get(name);
      values.delete(name);
    }
  }
  const why = `goes with what stays: ${[failure.path, failure.reason].filter((part) => part !== "").join(" ")}`;
  return { properties: [...values.keys()], why };
}

/** What may have to change at once: one property, two, or three, as when one selector and its list take the place of others. */
function groupsOf(names: readonly string[]): string[][] {
  const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b]));
  const triples = names.flatMap((a, i) => names.slice(i + 1).flatMap((b, j) => names.slice(i + j + 2).map((c) => [a, b, c])));
  return [...names.map((name) => [name]), ...pairs, ...triples];
}
