import { readable } from "../api/parse";
import { allOperations, type Operation } from "../api/schemas";

/** What the answers of one operation were like. */
export interface Shape {
  readonly operation: string;
  /** Successful answers that were seen. */
  seen: number;
  /** What of them does not fit the contract in api/schemas. */
  readonly wrong: Set<string>;
}

const mediaTypes = /^application\/(hal\+)?json(\s*;.*)?$/i;

/** Holds every answer against its operation's schema, whatever it was asked for. */
export class Shapes {
  readonly #all = new Map<string, Shape>(allOperations.map(({ id }) => [id, { operation: id, seen: 0, wrong: new Set() }]));

  note(
    operation: Operation,
    { status, headers, body }: { status: number; headers: Readonly<Record<string, string>>; body: unknown },
  ): void {
    const shape = this.#all.get(operation.id);
    // Of another status than the one of success, a row says what it means.
    if (!shape || status < 200 || status > 299) return;
    shape.seen += 1;
    if (status !== operation.status) shape.wrong.add(`status ${status}, not ${operation.status}`);
    if (!operation.response) {
      if (body !== undefined) shape.wrong.add("a body, though none is known");
      return;
    }
    if (!mediaTypes.test(headers["content-type"] ?? "")) shape.wrong.add(`media type ${headers["content-type"] ?? "missing"}`);
    const parsed = operation.response.safeParse(readable(structuredClone(body)));
    for (const { path, message } of parsed.error?.issues ?? []) {
      shape.wrong.add(`${path.map((key) => (typeof key === "number" ? "[]" : String(key))).join(".")}: ${message}`);
    }
  }

  all(): readonly Shape[] {
    return [...this.#all.values()];
  }
}
