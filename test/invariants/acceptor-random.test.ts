/** Declares random valid resources of every type in any style, and accepts other random values from the service. */
import fc from "fast-check";
import { acceptIn, declaredBy, resource, refusalsOf } from "../program/acceptor-support";
import { Decisions, decisions, Printer } from "../program/printer";
import type { AcceptedChange } from "../../program/acceptance";
import { check, withoutDefaults } from "../../provider/check";
import { compare } from "../../provider/compare";
import type { Kind } from "../../provider/kind";
import type { Properties } from "../../provider/values";
import { records, type RecordKindName } from "../../provider/registry";
import { validInputs } from "../provider/arbitrary";
import { amount, seed } from "../support/amount";

/** Differences between the declared and the current values. */
function drift(kind: Kind, real: Properties, inputs: Properties): AcceptedChange[] {
  return compare(kind, real, inputs).map(({ property, before }) =>
    before === undefined ? { property, how: "removed" } : { property, how: "changed", after: before },
  );
}

test.each(Object.keys(records) as RecordKindName[])(
  "drift --accept replaces the declared values of a %s with the service's values",
  async (kindName) => {
    const kind: Kind = records[kindName];
    const inputs = validInputs(kindName, ["11", "22", "33"]).map(
      (declared) => check(kind, { ...declared, accountGroupId: "1001" }).inputs,
    );
    const pairs = fc.array(fc.tuple(inputs, inputs, fc.boolean()), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(pairs, decisions, fc.constantFrom("\n", "\r\n"), async (declared, { numbers }, eol) => {
        const by = new Decisions(numbers);
        const statements = declared.map(([from, , isLean], i) => {
          const args = new Printer(by, eol, "  ").print(isLean ? withoutDefaults(kind, from) : from);
          return `export const r${i} = new em.${kind.name}("r${i}", ${args});${eol}`;
        });
        const program = [`import * as em from "pulumi-endpoint-monitoring";${eol}`, ...statements].join(eol);
        const realities = declared.map(([from, to], i) => {
          return { resource: resource(kindName, `r${i}`, { inputs: from }), changes: drift(kind, to, from) };
        });
        const acceptance = await acceptIn({ "index.ts": program }, realities);
        // A secret is not written, so its resource stays unchanged.
        const secret = /^r\d\.password is secret/;
        expect(refusalsOf(acceptance).filter((line) => !secret.test(line))).toEqual([]);
        expect(acceptance.same).toEqual([]);
        const after = acceptance.edits[0]?.after ?? program;
        const says = new Map(declaredBy({ "index.ts": after }).map(({ name, args }) => [name, args]));
        const stays = new Set(acceptance.refused.map(({ resource: { name } }) => name));
        for (const [i, [from, to]] of declared.entries()) {
          const now = check(kind, says.get(`r${i}`) ?? {});
          const remaining = compare(kind, stays.has(`r${i}`) ? from : to, now.inputs);
          if (remaining.length > 0) throw new Error(`${JSON.stringify(remaining)} are left:\n${program}\n${after}`);
          expect(now.failures).toEqual([]);
        }
        const again = await acceptIn({ "index.ts": after }, realities);
        expect(again.edits).toEqual([]);
        const whole = realities.filter((observed) => !stays.has(observed.resource.name));
        expect(again.same).toHaveLength(whole.flatMap((observed) => observed.changes).length);
      }),
      { numRuns: amount(6, 50), seed: seed(1) },
    );
  },
);
