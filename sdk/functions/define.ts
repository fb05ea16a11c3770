import * as pulumi from "../pulumi";
import type { Operation, ResponseOf } from "../../api";
import { loadApi } from "./api";
import type { Fetch, FetchAll, FetchOutput, Given, OutputOptions, OutputForm } from "./fetch";
import { isValidation, FunctionSession, type Operations } from "./session";
import { answered } from "./stand-in";

/** How a function asks one operation. */
interface FunctionDeclaration<A extends object, O extends Operation> {
  /** The operation, chosen by what is asked. */
  operation: (operations: Operations, args: A) => O;
  /** Returns the mistakes of the arguments taken together, a line each. */
  problems?: (args: NoInfer<A>) => string[];
  /** The arguments by the names of the contract, where they do not have them already. */
  wire?: (args: NoInfer<A>) => object;
  /** Links of a record, one of which may lead to the operation. */
  links?: (args: NoInfer<A>) => readonly string[];
}

/** Declares a function that asks in its own way. */
export function fetching<A extends object, R>(ask: (session: FunctionSession, args: A) => Promise<R>): Fetch<A, R> {
  const fetch: Fetch<A, R> = async (...[args]) => {
    try {
      // Left out only where nothing is required.
      const known = args ?? ({} as A);
      const answer = await answered(fetch, known);
      return answer ? answer.value : await ask(FunctionSession.open(), known);
    } catch (error) {
      throw withoutStack(error);
    }
  };
  return fetch;
}

/** Declares a function that asks one operation once. */
export function single<A extends object, R, O extends Operation>(
  declaration: FunctionDeclaration<A, O> & { answer: (response: ResponseOf<O>, args: A) => R | undefined },
): Fetch<A, R> {
  return fetching(async (session, args) => {
    const { operation, wired, known } = prepared(declaration, session, args);
    const answer = declaration.answer(await session.call(operation, wired, known), args);
    if (answer === undefined)
      throw new session.api.ProtocolError({ ...operation, redact: String }, "the requested member is missing", false);
    return answer;
  });
}

/** Declares a function that asks one operation for page after page, as many as `limit` lets. */
export function paged<A extends { limit?: number }, R, O extends Operation>(
  declaration: FunctionDeclaration<A, O> & { rows: (page: ResponseOf<O>) => R[] },
): FetchAll<A, R> {
  async function* pages(...[args]: Given<A>): AsyncGenerator<R[]> {
    try {
      // Left out only where nothing is required.
      const { limit, ...rest } = args ?? ({} as A);
      const answer = await answered(fetch, { ...args });
      if (answer) {
        yield answer.value.slice(0, limit);
        return;
      }
      const session = FunctionSession.open();
      const { operation, wired, known } = prepared(declaration, session, rest as A);
      let remaining = limit ?? Infinity;
      if (!(remaining > 0 && (remaining === Infinity || Number.isInteger(remaining))))
        known.problems.push("limit: must be a whole number above 0");
      for await (const page of session.pages(operation, wired, known)) {
        const rows = declaration.rows(page).slice(0, remaining);
        yield rows;
        remaining -= rows.length;
        if (remaining <= 0) return;
      }
    } catch (error) {
      throw withoutStack(error);
    }
  }
  const whole = async (...args: Given<A>): Promise<R[]> => {
    const allRows: R[] = [];
    for await (const rows of pages(...args)) for (const row of rows) allRows.push(row);
    return allRows;
  };
  const fetch: FetchAll<A, R> = Object.assign(whole, { pages });
  return fetch;
}

function prepared<A extends object, O extends Operation>(
  declaration: FunctionDeclaration<A, O>,
  { api }: FunctionSession,
  args: A,
) {
  return {
    operation: declaration.operation(api.operations, args),
    wired: declaration.wire?.(args) ?? args,
    known: { links: declaration.links?.(args) ?? [], problems: declaration.problems?.(args) ?? [] },
  };
}

const outputForms = new WeakMap<object, OutputForm>();

/** Returns the properties with which `outputForm` was called for a function. */
export function outputFormOf(fetch: object): OutputForm {
  return outputForms.get(fetch) ?? {};
}

/** Whether the answer of a function is a secret even if no argument is. */
export function isSecretAnswer(fetch: object): boolean {
  return outputFormOf(fetch).secret === true;
}

/**
 * Makes the form of a function that gives an output. What is unknown in a preview makes the output unknown, what is secret in
 * the arguments makes it secret.
 */
export function outputForm<A extends object, R>(fetch: Fetch<A, R>, form: OutputForm = {}): FetchOutput<A, R> {
  outputForms.set(fetch, form);
  const { secret = false, plain = (args: object) => args } = form;
  return (...params) => {
    // With or without required arguments: what follows holds for both.
    const [args, { dependsOn = [] } = {}] = params as unknown as [args?: object, options?: OutputOptions];
    // Unknown is in no type of Pulumi's.
    if (isValidation()) return pulumi.output(pulumi.unknown) as unknown as pulumi.Output<R>;
    const inputs = pulumi.output(plain(args ?? {}));
    const ids = [dependsOn].flat().map((resource: pulumi.CustomResource) => resource.id);
    const asked = pulumi
      .all([inputs, pulumi.all(ids), idsIn(inputs)])
      // An output of A's inputs holds A again, which the compiler cannot see through DeepInput.
      .apply(([known]) =>
        fetch(...([known] as unknown as Given<A>)).catch(async (error: unknown) => {
          throw (await pulumi.isSecret(inputs)) ? withoutValues(error, known) : error;
        }),
      );
    // An answer is data, without an output in it.
    return secret ? (pulumi.secret(asked) as pulumi.Output<R>) : asked;
  };
}

/**
 * Returns the ids of the resources that an output comes from. In a preview, the id of a resource that is yet to be created is unknown,
 * while other properties of it can be known.
 */
function idsIn(output: pulumi.Output<unknown>): pulumi.Output<pulumi.ID[]> {
  // Pulumi's own invokes wait by this method, which its types leave out.
  const { allResources } = output as unknown as { allResources: () => Promise<ReadonlySet<object>> };
  const isCustom = (resource: object): resource is pulumi.CustomResource => pulumi.CustomResource.isInstance(resource);
  const ids = allResources().then((resources) => [...resources].filter(isCustom).map(({ id }) => id));
  return pulumi.output(ids);
}

/** Removes all text of secret arguments from the message of an error. */
function withoutValues(error: unknown, args: object): unknown {
  if (!(error instanceof Error)) return error;
  // As loadApi: loaded when it is needed.
  const { redactor } = require("../../api/redact") as typeof import("../../api/redact");
  error.message = redactor(textsIn(args))(error.message);
  error.stack = error.message;
  return error;
}

function textsIn(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(textsIn);
  return typeof value === "string" ? [value] : [];
}

/**
 * Makes Pulumi print the message alone, as of its own RunError: it is for the user, and the stack is ours. Once the program
 * has come to its end, Pulumi prints the stack of a RunError, too.
 */
function withoutStack(error: unknown): unknown {
  if (error instanceof loadApi().EndpointMonitoringError) {
    Object.defineProperty(error, "__pulumiRunError", { value: true, configurable: true });
    if (pulumi.hasMonitor()) error.stack = error.message;
  }
  return error;
}
