import * as pulumi from "../pulumi";
import type { Operation, ResponseOf } from "../../api";
import { loadApi } from "./api";
import type { Fetch, FetchAll, FetchOutput, FunctionParameters, OutputOptions, OutputForm } from "./fetch";
import { isValidation, FunctionSession, type Operations } from "./session";
import { answered } from "./stand-in";

interface FunctionDeclaration<A extends object, O extends Operation> {
  operation: (operations: Operations, args: A) => O;
  /** Returns one line for each invalid combination of arguments. */
  problems?: (args: NoInfer<A>) => string[];
  /** Renames the arguments that have different names in the API. */
  wire?: (args: NoInfer<A>) => object;
  /** Returns the links of a record that the caller passed as an argument. The operation uses the path of a matching link. */
  links?: (args: NoInfer<A>) => readonly string[];
}

export function fetching<A extends object, R>(ask: (session: FunctionSession, args: A) => Promise<R>): Fetch<A, R> {
  const fetch: Fetch<A, R> = async (...[args]) => {
    try {
      // The caller may omit the arguments only if all arguments are optional.
      const known = args ?? ({} as A);
      const answer = await answered(fetch, known);
      return answer ? answer.value : await ask(FunctionSession.open(), known);
    } catch (error) {
      throw withoutStack(error);
    }
  };
  return fetch;
}

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

export function paged<A extends { limit?: number }, R, O extends Operation>(
  declaration: FunctionDeclaration<A, O> & { rows: (page: ResponseOf<O>) => R[] },
): FetchAll<A, R> {
  async function* pages(...[args]: FunctionParameters<A>): AsyncGenerator<R[]> {
    try {
      // The caller may omit the arguments only if all arguments are optional.
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
  const whole = async (...args: FunctionParameters<A>): Promise<R[]> => {
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

export function outputFormOf(fetch: object): OutputForm {
  return outputForms.get(fetch) ?? {};
}

export function isSecretAnswer(fetch: object): boolean {
  return outputFormOf(fetch).secret === true;
}

/**
 * Returns a variant of `fetch` that accepts and returns outputs. In a preview, unknown arguments make the result unknown.
 * Secret arguments make the result secret.
 */
export function outputForm<A extends object, R>(fetch: Fetch<A, R>, form: OutputForm = {}): FetchOutput<A, R> {
  outputForms.set(fetch, form);
  const { secret = false, plain = (args: object) => args } = form;
  return (...params) => {
    // The compiler cannot infer the elements of `params`, because only some functions require arguments.
    const [args, { dependsOn = [] } = {}] = params as unknown as [args?: object, options?: OutputOptions];
    // Pulumi accepts `pulumi.unknown` as the value of any output, but Pulumi's type declarations do not.
    if (isValidation()) return pulumi.output(pulumi.unknown) as unknown as pulumi.Output<R>;
    const inputs = pulumi.output(plain(args ?? {}));
    const ids = [dependsOn].flat().map((resource: pulumi.CustomResource) => resource.id);
    const asked = pulumi
      .all([inputs, pulumi.all(ids), idsIn(inputs)])
      // `known` has the type A, but the compiler cannot infer this type through DeepInput.
      .apply(([known]) =>
        fetch(...([known] as unknown as FunctionParameters<A>)).catch(async (error: unknown) => {
          throw (await pulumi.isSecret(inputs)) ? withoutValues(error, known) : error;
        }),
      );
    // The cast is safe, because the result contains no nested outputs that `pulumi.secret` could unwrap.
    return secret ? (pulumi.secret(asked) as pulumi.Output<R>) : asked;
  };
}

/**
 * Returns the ids of the resources that an output depends on. In a preview, an unknown id is the only sign that a resource does
 * not exist yet.
 */
function idsIn(output: pulumi.Output<unknown>): pulumi.Output<pulumi.ID[]> {
  // Pulumi's invokes use `allResources`, but the SDK's types omit this method.
  const { allResources } = output as unknown as { allResources: () => Promise<ReadonlySet<object>> };
  const isCustom = (resource: object): resource is pulumi.CustomResource => pulumi.CustomResource.isInstance(resource);
  const ids = allResources().then((resources) => [...resources].filter(isCustom).map(({ id }) => id));
  return pulumi.output(ids);
}

/** Removes the values of a function's arguments from an error message. */
function withoutValues(error: unknown, args: object): unknown {
  if (!(error instanceof Error)) return error;
  // A static import would load `api/redact` in every program.
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
 * Makes Pulumi print an error without its stack trace, like Pulumi's own RunError. The stack trace would show only code of this
 * package. The message replaces the stack, because Pulumi also prints the stack of a RunError after the program has ended.
 */
function withoutStack(error: unknown): unknown {
  if (error instanceof loadApi().EndpointMonitoringError) {
    Object.defineProperty(error, "__pulumiRunError", { value: true, configurable: true });
    if (pulumi.hasMonitor()) error.stack = error.message;
  }
  return error;
}
