import { readable } from "../../api/parse";
import { type Operation, operations } from "../../api/schemas";
import { isObject } from "./compare";

/** The observed responses of one operation, compared with their schema. */
export interface Shape {
  readonly operation: string;
  /** File that contains the operation's schema. */
  readonly file: string;
  /** Number of successful responses. */
  seen: number;
  /** Differences between responses and the schema in api/schemas. */
  readonly wrong: Set<string>;
}

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function shapes(): Map<string, Shape> {
  const all = new Map<string, Shape>();
  for (const [area, declared] of Object.entries(operations)) {
    const file = `api/schemas/${kebab(area)}.ts`;
    for (const { id } of Object.values<Operation>(declared)) all.set(id, { operation: id, file, seen: 0, wrong: new Set() });
  }
  return all;
}

const mediaTypes = /^application\/(hal\+)?json(\s*;.*)?$/i;

export class Shapes {
  readonly #all = shapes();

  note(
    operation: Operation,
    { status, headers, body }: { status: number; headers: Readonly<Record<string, string>>; body: unknown },
  ): void {
    const shape = this.#all.get(operation.id);
    // Other checks examine responses with an error status.
    if (!shape || status < 200 || status > 299) return;
    shape.seen += 1;
    if (status !== operation.status) shape.wrong.add(`status ${status}, not ${operation.status}`);
    if (!operation.response) {
      if (body !== undefined) shape.wrong.add("a body instead of no body");
      return;
    }
    if (!mediaTypes.test(headers["content-type"] ?? "")) shape.wrong.add(`media type ${headers["content-type"] ?? "missing"}`);
    const given = readable(structuredClone(body));
    const parsed = operation.response.safeParse(given);
    for (const { path, message } of parsed.error?.issues ?? []) {
      shape.wrong.add(`${path.map((key) => (typeof key === "number" ? "[]" : String(key))).join(".")}: ${message}`);
    }
    if (!parsed.success) return;
    for (const what of converted(given, parsed.data, "")) if (!isRecorded(operation, what)) shape.wrong.add(what);
  }

  wrong({ id }: Operation, what: string): void {
    this.#all.get(id)?.wrong.add(what);
  }

  all(): readonly Shape[] {
    return [...this.#all.values()];
  }
}

/** Whether the difference is known: the account group of a tag is a number. */
function isRecorded({ id }: Operation, what: string): boolean {
  return id.startsWith("tags.") && /^(tags\[\]\.)?aid: a number/.test(what);
}

/** Lists the members that the client converts to another JSON type, such as ids that are numbers. */
function converted(given: unknown, read: unknown, at: string): string[] {
  if (Array.isArray(given) && Array.isArray(read)) return given.flatMap((item, i) => converted(item, read[i], `${at}[]`));
  if (isObject(given) && isObject(read)) {
    return Object.entries(given).flatMap(([name, value]) => converted(value, read[name], at === "" ? name : `${at}.${name}`));
  }
  return typeof given === typeof read ? [] : [`${at}: a ${typeof given}, read as a ${typeof read}`];
}
