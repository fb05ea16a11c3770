import { allOperations, type Operation } from "../api/schemas";
import type { Handler } from "./handler";

interface Route {
  readonly operation: Operation;
  readonly segments: readonly string[];
  readonly handler: Handler | undefined;
}

/** The operation that matches a request line. If the path does not support the method, `allow` lists the supported methods. */
export type Match =
  | {
      readonly matched: "operation";
      readonly operation: Operation;
      readonly handler?: Handler;
      readonly path: Record<string, string>;
    }
  | { readonly matched: "path"; readonly allow: readonly string[] }
  | { readonly matched: "nothing" };

/** Finds the operation of a request among all operations of the API contract. */
export class Router {
  readonly #routes: readonly Route[];

  constructor(handlers: readonly Handler[]) {
    const byId = new Map(handlers.map((handler) => [handler.operation.id, handler]));
    this.#routes = allOperations()
      .flatMap((operation) =>
        [operation.path, operation.alias ?? []].flat().map((path) => ({
          operation,
          segments: path.split("/"),
          handler: byId.get(operation.id),
        })),
      )
      .toSorted((a, b) => parameters(a) - parameters(b));
  }

  match(method: string, pathname: string): Match {
    const parts = pathname.split("/");
    // Routes with fewer parameters come first, so that `/agents/connection-string` does not count as an agent.
    const fitting = this.#routes.filter(({ segments }) => fits(segments, parts));
    const route = fitting.find(({ operation }) => operation.method === method);
    if (route) {
      const path = values(route.segments, parts);
      if (path) return { matched: "operation", operation: route.operation, handler: route.handler, path };
    }
    if (fitting.length > 0 && !route) return { matched: "path", allow: fitting.map(({ operation }) => operation.method) };
    return { matched: "nothing" };
  }
}

const isParameter = (segment: string) => segment.startsWith("{");

function parameters({ segments }: Route): number {
  return segments.filter(isParameter).length;
}

function fits(segments: readonly string[], parts: readonly string[]): boolean {
  return (
    segments.length === parts.length &&
    segments.every((segment, at) => (isParameter(segment) ? parts[at] !== "" : segment === parts[at]))
  );
}

function values(segments: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  try {
    const entries = segments.flatMap((segment, at) =>
      isParameter(segment) ? [[segment.slice(1, -1), decodeURIComponent(parts[at] ?? "")]] : [],
    );
    return Object.fromEntries(entries);
  } catch {
    return undefined;
  }
}
