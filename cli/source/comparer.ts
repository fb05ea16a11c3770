import { isObject, sameValue, stable } from "../../provider/values";
import { isSpread, unknown, type Read } from "./read";
import type { Reader } from "./reader";
import { eachOf, recordOf, type Wanted } from "./wanted";

/** Compares what a program says with what it is to say. */
export class Comparer {
  constructor(
    private readonly reader: Reader,
    /** Whether the order of lists counts. */
    private readonly ordered: boolean,
  ) {}

  /** Whether an expression says what is wanted. */
  isSame(read: Read, wanted: Wanted): boolean {
    if (read.how === "named") return this.isSame(read.of, wanted);
    if (read.how === "object") {
      const [full, lean] = [recordOf(wanted.full), recordOf(wanted.lean)];
      const names = new Set([...this.reader.namesIn(read.node), ...Object.keys(lean)]);
      return (
        isObject(wanted.full) && [...names].every((name) => this.saysMember(read, name, { full: full[name], lean: lean[name] }))
      );
    }
    if (read.how === "list" && !read.items.some(isSpread)) {
      const each = eachOf(wanted);
      if (!Array.isArray(wanted.full) || each.length !== read.items.length) return false;
      if (this.ordered) return read.items.every((item, i) => this.isSame(item, each[i] ?? none));
      const free = new Set(each);
      return read.items.every((item) => [...free].some((one) => this.isSame(item, one) && free.delete(one)));
    }
    const value = this.reader.valueOf(read);
    const same = this.ordered ? sameValue : sameInAnyOrder;
    return value !== unknown && (same(value, wanted.full) || same(value, wanted.lean));
  }

  /** Whether an object literal says of a member what is wanted. */
  saysMember(object: Extract<Read, { how: "object" }>, name: string, wanted: Wanted): boolean {
    const member = this.reader.member(object, name);
    return member.how === "absent" ? wanted.lean === undefined : this.isSame(member.read, wanted);
  }

  /** How many members of an object stay; of a list in it, the part that does. */
  likeness(read: Read, wanted: Wanted): number {
    if (read.how === "named") return this.likeness(read.of, wanted);
    if (read.how !== "object" || !isObject(wanted.full)) return 0;
    const [full, lean] = [recordOf(wanted.full), recordOf(wanted.lean)];
    const scores = this.reader.namesIn(read.node).map((name) => {
      const of = { full: full[name], lean: lean[name] };
      if (this.saysMember(read, name, of)) return 1;
      const member = this.reader.member(read, name);
      const value = member.how === "absent" ? unknown : this.reader.valueOf(member.read);
      if (!Array.isArray(value) || !Array.isArray(of.full)) return 0;
      const had = new Set(value.map(stable));
      return of.full.filter((one) => had.has(stable(one))).length / (Math.max(had.size, of.full.length) + 1);
    });
    return scores.reduce((sum, score) => sum + score, 0);
  }
}

const none: Wanted = { full: undefined, lean: undefined };

/** Equality of JSON values, in which the order of lists does not count. */
function sameInAnyOrder(a: unknown, b: unknown): boolean {
  return stable(inOneOrder(a)) === stable(inOneOrder(b));
}

function inOneOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => stable(inOneOrder(item))).toSorted();
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inOneOrder(member)]));
}

/** Text of a plain value; absent for anything that holds others, and what is not told. */
export function keyOf(value: unknown): string | undefined {
  return value === unknown || value === undefined || (typeof value === "object" && value !== null) ? undefined : stable(value);
}
