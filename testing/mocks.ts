import * as pulumi from "@pulumi/pulumi";
import { check } from "../provider/check";
import type { CheckFailure, Kind } from "../provider/kind";
import { isKindName, registry } from "../provider/registry";
import { withoutProtocol } from "../provider/received";
import { depthFailures, shallow } from "../provider/shape";
import { compact, type Properties, unknownValue } from "../provider/values";
import { standInWith } from "../sdk/functions/stand-in";
import { classOfToken, exportName } from "../sdk/token";
import { type FunctionAnswers, type ServiceSettings, standInFor } from "./functions";
import { SampleIds, sampleOutputs } from "./sample";
import { fromMocks, toMocks } from "./values";

type MockArgs = pulumi.runtime.MockResourceArgs;
type MockResult = pulumi.runtime.MockResourceResult;

/** Options of {@link monitoringMocks}. */
export interface MocksOptions {
  /** Answers of the functions of this package. A function that is not named here asks `service`, or fails. */
  readonly functions?: FunctionAnswers;
  /** An emulator that answers functions: it holds the records that the program looks up. Resources are not created in it. */
  readonly service?: ServiceSettings;
  /** Properties of existing records, by id, for `get` of a class. Default: such a resource has its id alone. */
  readonly records?: Readonly<Record<string, object>>;
  /** Account group of resources that declare none. Default: the stack's `endpoint-monitoring:accountGroupId`, else `"1001"`. */
  readonly accountGroupId?: string;
  /**
   * The treatment of a resource with wrong arguments. `fail`: its registration fails with the mistakes, as in a preview. `collect`: it is
   * registered as it is, and its mistakes are only in `mistakes`, for a test of mistakes. Default: `fail`.
   */
  readonly wrongArguments?: "fail" | "collect";
  /** Mocks of resources and functions of other packages. Default: a resource has its inputs as outputs, a function returns its arguments. */
  readonly others?: Partial<pulumi.runtime.Mocks>;
}

/** A resource of this package that a program declared. */
export interface DeclaredResource {
  /** Class, such as `HttpServerTest`. */
  readonly class: string;
  /** Name of the resource in the program. */
  readonly name: string;
  readonly id: string;
  /** Its arguments, with the defaults of what the program omits. An argument that the program marks as secret is in clear text. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** Mocks of this package's resources and functions. */
export interface MonitoringMocks extends pulumi.runtime.Mocks {
  /** The resources of this package that the program has declared so far. */
  readonly resources: readonly DeclaredResource[];
  /** Mistakes of their arguments, as the provider would report them, a line each. */
  readonly mistakes: readonly string[];
}

const defaultAccountGroupId = "1001";

/**
 * Makes mocks for a unit test of a program: resources of this package get the service's defaults, an id of the right shape, and the checks
 * of the provider. Functions of this package return what the test says. Needs no engine, no service and no token.
 *
 * The functions follow the mocks that were made last.
 *
 * @example
 * ```ts
 * const mocks = monitoringMocks({ functions: { getLabels: () => [{ id: "400000000000007", name: "Office" }] } });
 * await pulumi.runtime.setMocks(mocks);
 * const program = await import("./index");
 * ```
 */
export function monitoringMocks(options: MocksOptions = {}): MonitoringMocks {
  const { functions = {}, service, records = {}, others = {}, wrongArguments = "fail" } = options;
  const resources: DeclaredResource[] = [];
  const mistakes: string[] = [];
  const ids = new SampleIds();
  standInWith(standInFor(functions, service));

  const accountGroup = (): string =>
    options.accountGroupId ?? new pulumi.Config("endpoint-monitoring").get("accountGroupId") ?? defaultAccountGroupId;

  const declared = (kind: Kind, name: string, registered: Properties): MockResult => {
    const { values, secrets } = fromMocks(registered);
    const { properties, deep } = shallow(values, unknownValue);
    const { inputs, failures } = check(kind, compact(properties), { accountGroupId: accountGroup() });
    const lines = [...depthFailures(deep), ...failures].map((failure) => lineOf(kind, name, failure));
    for (const line of lines) mistakes.push(line);
    if (lines.length > 0 && wrongArguments === "fail") throw new Error(lines.join("\n"));
    const id = ids.next(kind, inputs);
    resources.push({ class: kind.name, name, id, inputs });
    const kept = Object.entries(inputs).filter(([property]) => !kind.providerOptions.includes(property));
    const outputs = { accountGroupId: accountGroup(), ...sampleOutputs(kind, id), ...Object.fromEntries(kept) };
    return { id, state: toMocks({ values: outputs, secrets }) };
  };

  return {
    resources,
    mistakes,
    async newResource(args: MockArgs): Promise<MockResult> {
      const kind = kindOf(args.type);
      if (!kind) return (await others.newResource?.(args)) ?? { id: `${args.name}-id`, state: args.inputs };
      if (!args.id) return declared(kind, args.name, withoutProtocol(args.inputs as Properties));
      return { id: args.id, state: { ...sampleOutputs(kind, args.id), ...records[args.id] } };
    },
    async call(args) {
      return (await others.call?.(args)) ?? (args.inputs as Properties);
    },
  };
}

/** The kind of a type token; nothing for that of another package. */
function kindOf(token: string): Kind | undefined {
  const name = exportName(classOfToken(token) ?? "");
  return isKindName(name) ? registry[name] : undefined;
}

function lineOf(kind: Kind, name: string, { path, reason }: CheckFailure): string {
  return `${kind.name} "${name}": ${path === "" ? "" : `${path} `}${reason}`;
}
