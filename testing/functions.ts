import * as functions from "../sdk/functions";
import type { StandIn } from "../sdk/functions/stand-in";

type MockedFunctions = typeof functions;
type FetchName = {
  [N in keyof MockedFunctions]: MockedFunctions[N] extends (...args: never) => Promise<unknown> ? N : never;
}[keyof MockedFunctions];
type ArgsOf<N extends FetchName> = NonNullable<Parameters<MockedFunctions[N]>[0]>;
type ResultOf<N extends FetchName> = Awaited<ReturnType<MockedFunctions[N]>>;

/** The results of this package's functions by function name. A function and its `...Output` variant return the same result. */
export type FunctionAnswers = {
  /** A mock of an SDK function, which receives the call's arguments and returns the result. */
  readonly [N in FetchName]?: (args: ArgsOf<N>) => ResultOf<N> | Promise<ResultOf<N>>;
};

/** The service that functions query, such as an emulator that the test started. */
export interface ServiceSettings {
  /** Base URL of the service, such as the `url` of an emulator. */
  readonly baseUrl: string;
  /** API token for the service. Default: `emulator-token`, which belongs to the emulator's administrator. */
  readonly token?: string;
  /** Account group that functions query. Default: the token's login account group. */
  readonly accountGroupId?: string;
}

/**
 * Returns the declared result of a function. A function without a declared result queries `service`, or fails if `service` is
 * undefined.
 */
export function standInFor(answers: FunctionAnswers, service: ServiceSettings | undefined): StandIn {
  const names = new Map<object, string>(Object.entries(functions).map(([name, fetch]) => [fetch, name]));
  const byName = new Map<string, unknown>(Object.entries(answers));
  for (const name of byName.keys()) if (!Object.hasOwn(functions, `${name}Output`)) throw new Error(unknownFunction(name));
  return {
    ...(service && { settings: { token: "emulator-token", ...service } }),
    answer(fetch, args) {
      const name = names.get(fetch) ?? "";
      const answer = byName.get(name);
      // The cast is safe, because the type `FunctionAnswers` ensures that the function accepts the arguments of the call.
      if (typeof answer === "function") return { value: (answer as (input: object) => unknown)(args) };
      if (service) return undefined;
      throw new Error(unanswered(name));
    },
  };
}

function unanswered(name: string): string {
  return (
    `The program calls ${name}, but the test declares no result for it. Declare a result, as in ` +
    `monitoringMocks({ functions: { ${name}: (args) => … } }), or let an emulator answer: ` +
    "monitoringMocks({ service: { baseUrl: emulator.url } })."
  );
}

function unknownFunction(name: string): string {
  const output = /^(.*)Output$/.exec(name)?.[1];
  const instead = output !== undefined && output in functions ? ` Name ${output}: its Output form returns the same.` : "";
  return `monitoringMocks: there is no function ${name}.${instead}`;
}
