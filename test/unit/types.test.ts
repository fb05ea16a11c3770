import type { z } from "zod";
import type { Client as Inferred } from "../../api/client";
import type { Client } from "../../api/generated";
import type { Fault } from "../../emulator/fault";
import type { fault } from "../../emulator/faults";

/** A type with its known members alone, each written out: the service may answer more, and intersections have the same members. */
type Known<T> = T extends (...given: infer A) => Promise<infer R>
  ? (...given: { [I in keyof A]: Known<A[I]> }) => Promise<Known<R>>
  : T extends readonly (infer I)[]
    ? Known<I>[]
    : T extends object
      ? keyof Members<T> extends never
        ? T
        : Members<T>
      : T;
type Members<T> = { [P in keyof T as string extends P ? never : P]: Known<T[P]> };

/** True of two types that are the same member by member, with what is optional. */
// The compiler compares two types for being the same only where it cannot resolve a condition on them.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

test("the types that programs see are what the schemas describe", () => {
  // The compiler finds any difference, as `npm run check` shows: the areas that differ are the type of `none`.
  type Differing = {
    [Area in keyof Client]: Same<Known<Client[Area]>, Known<Inferred[Area]>> extends true ? never : Area;
  }[keyof Client | keyof Inferred];
  const none: [Differing] extends [never] ? true : Differing = true;
  expect(none).toBe(true);
});

test("the type of a fault is what the emulator takes", () => {
  const same: Same<Known<Fault>, Known<z.input<typeof fault>>> = true;
  expect(same).toBe(true);
});
