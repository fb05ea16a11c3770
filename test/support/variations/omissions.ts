/** Members that responses omit, because the service guarantees almost no member. */
export class Omissions {
  readonly #members = new Map<string, readonly string[]>();

  /**
   * Omits `members` (dotted paths) from the responses of `operation`. `*` is each operation. An empty list restores the
   * responses.
   */
  set(operation: string, members: readonly string[]): void {
    if (members.length > 0) this.#members.set(operation, members);
    else this.#members.delete(operation);
  }

  get isEmpty(): boolean {
    return this.#members.size === 0;
  }

  /** Returns the response without them: at its top level, and in each record of a list. */
  apply(operation: string, body: object): object {
    const members = [...(this.#members.get("*") ?? []), ...(this.#members.get(operation) ?? [])];
    return members.reduce<object>((rest, path) => without(rest, path.split(".")), body);
  }
}

function without(body: object, path: readonly string[]): object {
  const entries = Object.entries(body).flatMap(([key, value]: [string, unknown]) => {
    if (Array.isArray(value)) return [[key, value.map((item) => (isObject(item) ? dropped(item, path) : item))]];
    return [[key, value]];
  });
  return dropped(Object.fromEntries(entries), path);
}

function dropped(body: object, [key = "", ...deeper]: readonly string[]): object {
  const entries = Object.entries(body).flatMap(([name, value]: [string, unknown]) => {
    if (name !== key) return [[name, value]];
    return deeper.length > 0 && isObject(value) ? [[name, dropped(value, deeper)]] : deeper.length > 0 ? [[name, value]] : [];
  });
  return Object.fromEntries(entries);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
