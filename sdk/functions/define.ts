import * as pulumi from "@pulumi/pulumi";
import type { Operation, ResponseOf } from "../../api";
import type { DeepInput } from "../types";
import { loadApi, Session, type Operations } from "./session";

/** Arguments of a function, which may be left out where none of them is required. */
type Given<A> = object extends A ? [args?: A] : [args: A];

/** A function that asks the service. It works in a preview, in an update, and in a script without an engine. */
export interface Fetch<A, R> {
  (...given: Given<A>): Promise<R>;
}

/** A function whose answer comes in pages. */
export interface FetchAll<A, R> extends Fetch<A, R[]> {
  /** The same page by page, each asked for when it is taken. */
  pages(...given: Given<A>): AsyncIterable<R[]>;
}

/** The form of a function that takes outputs of resources, and gives an output. */
export interface FetchOutput<A, R> {
  (...given: object extends A ? [args?: DeepInput<A>, options?: OutputOptions] : [args: DeepInput<A>, options?: OutputOptions]): pulumi.Output<R>;
}

/** Options of the form of a function that gives an output. */
export interface OutputOptions {
  /** Resources that must be there first. While one of them is yet to be created, as in a preview, the answer is unknown. */
  dependsOn?: pulumi.CustomResource | readonly pulumi.CustomResource[];
}

/** How a function asks one operation. */
interface Declaration<A, O extends Operation> {
  /** The operation, chosen by what is asked. */
  operation: (operations: Operations, args: A) => O;
  /** What is wrong with the arguments together, a line each. */
  problems?: (args: A) => string[];
  /** The arguments by the names of the contract, where they do not have them already. */
  wire?: (args: A) => object;
  /** Links of a record, one of which may lead to the operation. */
  links?: (args: A) => readonly string[];
}

/** Declares a function that asks in its own way. */
export function fetching<A extends object, R>(ask: (session: Session, args: A) => Promise<R>): Fetch<A, R> {
  return async (...[args]) => {
    try {
      // Left out only where nothing is required.
      return await ask(Session.open(), args ?? ({} as A));
    } catch (error) {
      throw withoutStack(error);
    }
  };
}

/** Declares a function that asks one operation once. */
export function one<A extends object, R, O extends Operation>(
  declaration: Declaration<A, O> & { answer: (response: ResponseOf<O>, session: Session, args: A) => R },
): Fetch<A, R> {
  return fetching(async (session, args) => {
    const { operation, wired, links } = prepared(declaration, session, args);
    return declaration.answer(await session.call(operation, wired, links), session, args);
  });
}

/** Declares a function that asks one operation for page after page, as many as `limit` lets. */
export function paged<A extends { limit?: number }, R, O extends Operation>(
  declaration: Declaration<A, O> & { rows: (page: ResponseOf<O>) => R[] },
): FetchAll<A, R> {
  async function* pages(...[args]: Given<A>): AsyncGenerator<R[]> {
    try {
      const session = Session.open();
      // Left out only where nothing is required.
      const { limit, ...given } = args ?? ({} as A);
      const { operation, wired, links } = prepared(declaration, session, given as A);
      if (limit !== undefined && !(Number.isInteger(limit) && limit > 0)) {
        throw new session.api.RequestError(operation, ["limit: must be a whole number above 0"]);
      }
      let left = limit ?? Infinity;
      for await (const page of session.pages(operation, wired, links)) {
        const rows = declaration.rows(page).slice(0, left);
        yield rows;
        left -= rows.length;
        if (left <= 0) return;
      }
    } catch (error) {
      throw withoutStack(error);
    }
  }
  const all = async (...given: Given<A>): Promise<R[]> => {
    const found: R[] = [];
    for await (const rows of pages(...given)) for (const row of rows) found.push(row);
    return found;
  };
  return Object.assign(all, { pages });
}

function prepared<A extends object, O extends Operation>(declaration: Declaration<A, O>, { api }: Session, args: A) {
  const operation = declaration.operation(api.operations, args);
  const problems = declaration.problems?.(args) ?? [];
  if (problems.length > 0) throw new api.RequestError(operation, problems);
  return { operation, wired: declaration.wire?.(args) ?? args, links: declaration.links?.(args) ?? [] };
}

/**
 * Makes the form of a function that gives an output. What is unknown in a preview makes the output unknown, what is secret in
 * the arguments makes it secret.
 *
 * @param secret whether the answer is a secret whatever the arguments are
 */
export function outputForm<A extends object, R>(
  fetch: Fetch<A, R>,
  { secret = false, plain = (args: object) => args } = {},
): FetchOutput<A, R> {
  return (...[args, { dependsOn = [] } = {}]) => {
    const ids = [dependsOn].flat().map((resource: pulumi.CustomResource) => resource.id);
    // The type of what an output of A holds is A again, which the compiler cannot see through DeepInput.
    const asked = pulumi.all([plain(args ?? {}), pulumi.all(ids)]).apply(([given]) => fetch(...([given] as Given<A>)));
    return secret ? pulumi.secret(asked) : asked;
  };
}

/** Makes the engine print the message alone, as of its own RunError: it is for the user, and the stack is ours. */
function withoutStack(error: unknown): unknown {
  if (error instanceof loadApi().EndpointMonitoringError) Object.defineProperty(error, "__pulumiRunError", { value: true });
  return error;
}
