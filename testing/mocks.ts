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
  /**
   * Results of this package's functions. A function without a declared result queries `service`, or fails if `service` is not
   * set.
   */
  readonly functions?: FunctionAnswers;
  /**
   * An emulator that functions query. The mocks create no records in the emulator, so the test must create the records that the
   * program looks up.
   */
  readonly service?: ServiceSettings;
  /** Properties of existing records by id, for `get` calls. By default, an existing resource has only its id. */
  readonly records?: Readonly<Record<string, object>>;
  /**
   * Default account group, for resources that do not declare an account group. Default: the stack's `endpoint-monitoring:accountGroupId`, or
   * `"1001"`.
   */
  readonly accountGroupId?: string;
  /**
   * Behavior if a resource has invalid arguments. `fail` makes the registration fail, as in a preview. `collect` registers the
   * resource anyway, and adds the mistakes in its arguments to `mistakes`. Default: `fail`.
   */
  readonly wrongArguments?: "fail" | "collect";
  /**
   * Mocks for resources and functions of other packages. By default, a resource returns its inputs, and a function returns its
   * arguments.
   */
  readonly others?: Partial<pulumi.runtime.Mocks>;
}

/** A resource of this package that a program declared. */
export interface DeclaredResource {
  /** Class of the resource, such as `HttpServerTest`. */
  readonly class: string;
  /** Name of the resource in the program. */
  readonly name: string;
  readonly id: string;
  /** Arguments of the resource, including default values. Secret arguments are in plain text. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** Mocks of this package's resources and functions. */
export interface MonitoringMocks extends pulumi.runtime.Mocks {
  /** The resources of this package that the program has declared so far. */
  readonly resources: readonly DeclaredResource[];
  /** Mistakes in the arguments of the declared resources, one line each, worded like the provider's errors. */
  readonly mistakes: readonly string[];
}

const defaultAccountGroupId = "1001";

/**
 * Creates mocks for a unit test of a program. The test needs no engine, service or token. Resources of this package receive
 * default values and an id, and pass through the provider's checks. Functions of this package return the results that the test
 * declares.
 *
 * If a test creates mocks several times, functions use the latest mocks.
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

/** Returns the resource type with this type token, or undefined if the type belongs to another package. */
function kindOf(token: string): Kind | undefined {
  const name = exportName(classOfToken(token) ?? "");
  return isKindName(name) ? registry[name] : undefined;
}

function lineOf(kind: Kind, name: string, { path, reason }: CheckFailure): string {
  return `${kind.name} "${name}": ${path === "" ? "" : `${path} `}${reason}`;
}
