import type { z } from "zod";
import type { Client as Inferred } from "../../api/client";
import type { Client } from "../../api/generated";
import type { Fault } from "../../emulator/fault";
import type { fault } from "../../emulator/faults";

/** A type with only its known members. The service may return more, and intersections have the same members. */
type Known<T> = T extends (...parameters: infer A) => Promise<infer R>
  ? (...parameters: { [I in keyof A]: Known<A[I]> }) => Promise<Known<R>>
  : T extends readonly (infer I)[]
    ? Known<I>[]
    : T extends object
      ? keyof Members<T> extends never
        ? T
        : Members<T>
      : T;
type Members<T> = { [P in keyof T as string extends P ? never : P]: Known<T[P]> };

/** Whether two types are identical member by member, including optional members. */
// The compiler compares two types for being the same only where it cannot resolve a condition on them.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

test("the TypeScript types of arguments and outputs match the schemas", () => {
  // The compiler finds any difference in `npm run check`: the type of `none` names the areas that differ.
  type Differing = {
    [Area in keyof Client]: Same<Known<Client[Area]>, Known<Inferred[Area]>> extends true ? never : Area;
  }[keyof Client | keyof Inferred];
  const none: [Differing] extends [never] ? true : Differing = true;
  expect(none).toBe(true);
});

test("the TypeScript type of an emulator fault matches the emulator's schema", () => {
  const same: Same<Known<Fault>, Known<z.input<typeof fault>>> = true;
  expect(same).toBe(true);
});
