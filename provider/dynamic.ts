import { readSettings, type Wait } from "../api";
import { allowedWords } from "./check";
import type { Change } from "./compare";
import { GoneError, PartialFailure } from "./failures";
import type { Kind } from "./kind";
import type { Ledger } from "./ledger";
import { Lifecycle } from "./lifecycle";
import { endWithEngine } from "./parent";
import { Session } from "./session";
import { depthFailures, type Shallow, shallow } from "./shape";
import { isBare } from "./state";
import { Teller } from "./tell";
import { type Properties, compact, isUnknown, stringOf, unknownValue } from "./values";

/** What the host of dynamic providers hands to `configure`. */
export interface ConfigureRequest {
  config: { get(key: string): string | undefined };
}

/** A provider as the host of dynamic providers calls it. */
export interface DynamicProvider {
  configure(request: ConfigureRequest): void;
  check(
    state: Properties,
    inputs: Properties,
  ): Promise<{ inputs: Properties; failures: { property: string; reason: string }[] }>;
  diff(
    id: string,
    state: Properties,
    inputs: Properties,
  ): Promise<{ changes: boolean; replaces: string[]; deleteBeforeReplace: boolean }>;
  create(inputs: Properties): Promise<{ id: string; outs: Properties }>;
  read(id: string, state: Properties): Promise<{ id: string; props: Properties; inputs?: Properties }>;
  update(id: string, state: Properties, inputs: Properties): Promise<{ outs: Properties }>;
  delete(id: string, state: Properties): Promise<void>;
}

/** A provider, and the same one for resources of which something is secret: its messages show neither names nor values. */
export interface KindProvider extends DynamicProvider {
  discreet: DynamicProvider;
}

/** The providers of one process. */
export interface Host {
  provider(kind: Kind): KindProvider;
}

/** A session that all kinds of a process share, made when first needed, so that `configure` cannot fail. */
class SharedSession {
  configuration: ConfigureRequest["config"] | undefined;
  #session: Session | undefined;

  constructor(private readonly print: Print) {}

  /** @throws ConfigurationError */
  get(): Session {
    if (this.#session) return this.#session;
    const settings = readSettings((name) => this.configuration?.get(`endpoint-monitoring:${name}`));
    return (this.#session = new Session({
      ...settings,
      client: { ...settings.client, onWait: (wait) => this.print(waitText(wait)) },
    }));
  }
}

/** Takes a line for the stack's diagnostics, which show what the provider process prints. */
export type Print = (line: string) => void;

/** The providers of one process: they share one configuration, one session and one ledger. @param print Default: standard output */
export function createHost(print: Print = (line) => console.log(line)): Host {
  const shared = new SharedSession(print);
  const told = { replacements: new Set<string>(), errors: new Teller(), print };
  return {
    provider: (kind) => ({
      ...dynamicProvider(kind, shared, told, false),
      discreet: dynamicProvider(kind, shared, told, true),
    }),
  };
}

/** What was told already. */
interface Told {
  /** The engine asks for a diff more than once. */
  replacements: Set<string>;
  errors: Teller;
  print: Print;
}

/** Translates between the protocol of dynamic providers and the lifecycle. The engine's peculiarities end here. */
function dynamicProvider(kind: Kind, shared: SharedSession, told: Told, discreet: boolean): DynamicProvider {
  const described = (properties: Properties, id?: string): string => descriptionOf(kind, discreet ? {} : properties, id);
  let made: Lifecycle | undefined;
  // What cannot be listed is no record of the service: two resources may have one id, and deleting changes nothing.
  const hasRecord = kind.origin !== undefined;
  // Made where it is used, so that an error of making the session is reported like any other.
  const lifecycle = (): Lifecycle => (made ??= new Lifecycle(kind, shared.get()));
  const ledger = (): Ledger => shared.get().ledger;
  const guard = <A extends unknown[], T>(of: (...given: A) => string, work: (...given: A) => Promise<T>) =>
    guarded(work, (error, ...given) => told.errors.tell(error, of(...given)));

  return {
    // The host calls this once a provider string, does not wait for it, and never again if it throws: so it only stores.
    configure({ config }) {
      shared.configuration = config;
      endWithEngine();
    },
    check: guard(
      (_, declared) => described(declared),
      async (state: Properties | undefined, declared: Properties) => {
        const held = own(state ?? {});
        const { properties, deep } = received(declared, unknownValue);
        const checked = lifecycle().check(properties, held);
        const inputs = compact(checked.inputs);
        // The engine hands in the inputs of what the state holds, but not where it creates: a new resource, the creation of a
        // replacement, or a resource named by --replace or tainted.
        if (hasRecord && Object.keys(held).length > 0) ledger().markHeld(kind, held, inputs);
        // The engine prints the value of a property that a failure names, so none names one: the reason carries the path.
        const failures = [...depthFailures(deep), ...checked.failures].map(({ path, reason }) => ({
          property: "",
          reason: path === "" ? reason : `${path} ${reason}`,
        }));
        return { inputs, failures };
      },
    ),
    diff: guard(
      (id, state) => described(state, id),
      async (id: string, state: Properties, declared: Properties) => {
        const inputs = own(declared);
        const changes = lifecycle().diff(id, own(state), inputs);
        const replacing = changes.filter((change) => change.replaces);
        const isOfProgram = hasRecord && ledger().settleHeld(kind, inputs);
        if (isOfProgram && replacing.length === 0) ledger().markDeclared(kind, id);
        if (replacing.length > 0) {
          const reasons = replacing.map((change) => `${change.property} ${describeChange(kind, change, discreet)}`);
          tellOnce(
            `replace ${described(state, id)}: ${reasons.join(", ")}; set at creation only, so ${kind.replacementCost}`,
            told,
          );
        }
        return {
          changes: changes.length > 0,
          replaces: replacing.map((change) => change.property),
          // A replacement of what is found by itself deletes nothing.
          deleteBeforeReplace: kind.origin !== "found" && shared.get().settings.replaceOrder === "delete-first",
        };
      },
    ),
    create: guard(described, async (inputs: Properties) => {
      const { id, state } = await lifecycle().create(own(inputs));
      return { id, outs: compact(state) };
    }),
    read: guard(
      (id, state) => described(state, id),
      async (id: string, state: Properties) => {
        const held = own(state);
        const found = await lifecycle().read(id, held);
        if (found) return { id, props: compact(found.state), inputs: found.inputs };
        // Refresh has a state, and reports the object deleted by an empty id. `get` has none: there an id that does not exist
        // would succeed silently.
        if (!isBare(held)) return { id: "", props: {} };
        throw new GoneError(`There is no ${kind.noun} ${id} in this account group. Correct the id, or accountGroupId.`);
      },
    ),
    update: guard(
      (id, state) => described(state, id),
      async (id: string, state: Properties, inputs: Properties) => ({
        outs: compact(await lifecycle().update(id, own(state), own(inputs))),
      }),
    ),
    // A record that another resource stands for is only forgotten.
    delete: guard(
      (id, state) => described(state, id),
      (id: string, state: Properties) => ledger().delete(kind, id, () => lifecycle().delete(id, own(state))),
    ),
  };
}

/** Properties without the provider string that the host carries among them, without what is absent, and with a stand-in for what is too deep. */
function received({ __provider, ...properties }: Properties, standIn: unknown): Shallow {
  const { properties: rest, deep } = shallow(properties, standIn);
  return { properties: compact(rest), deep };
}

/** Properties of a state, or such as were checked before. A list of nothing stands for what is too deep: no property of any kind is one. */
function own(properties: Properties): Properties {
  return received(properties, [null]).properties;
}

/** What messages call a resource: the engine does not say how the program names it, so by what people know the record by. */
function descriptionOf(kind: Kind, properties: Properties, id?: string): string {
  const name = stringOf(properties[kind.nameProperty]);
  const named = name === undefined || isUnknown(name) ? "" : ` "${name}"`;
  return `${kind.noun}${named}${id === undefined ? "" : ` (${id})`}`;
}

/**
 * A function whose errors are messages for users.
 *
 * @param tell the message of an error; nothing for a bug
 */
function guarded<A extends unknown[], T>(
  work: (...given: A) => Promise<T>,
  tell: (error: unknown, ...given: A) => string | undefined,
): (...given: A) => Promise<T> {
  return async (...given) => {
    try {
      return await work(...given);
    } catch (error) {
      const message = tell(error, ...given);
      if (message === undefined) throw error;
      // create and update understand these three members as: the object exists, keep it, report the reasons.
      const partial =
        error instanceof PartialFailure ? { id: error.id, properties: compact(error.state), reasons: error.reasons } : {};
      // The host prints `${error}: ${error.stack}`: a user's mistake has no stack, and the engine prints the message.
      throw Object.assign(new Error(message), { stack: "", toString: () => "", ...partial });
    }
  };
}

/** One line on the stack's diagnostics: an update that says nothing for a minute looks as if it hung. */
function waitText({ operation, reason, ms }: Wait): string {
  return `${operation} waits ${Math.ceil(ms / 1_000)} s: ${reason}`;
}

/** One line on the stack's diagnostics: a preview shows nowhere else why something is replaced. */
function tellOnce(line: string, { replacements, print }: Told): void {
  if (replacements.has(line)) return;
  replacements.add(line);
  print(line);
}

/** How a property changes. Values are shown of properties that take one of a few words, numbers or flags: others may be secret. */
function describeChange(kind: Kind, { property, how, before, after, unknown }: Change, discreet: boolean): string {
  if (unknown) return "is known after the update only";
  const shown = (value: unknown): boolean => value === undefined || isPlain(kind, property, value);
  if (discreet || how !== "changed" || !shown(before) || !shown(after)) return how;
  return `${String(before)} -> ${String(after)}`;
}

function isPlain(kind: Kind, property: string, value: unknown): boolean {
  if (typeof value === "number" || typeof value === "boolean") return true;
  return allowedWords(kind, property).includes(String(value));
}
