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
  check(olds: Properties, news: Properties): Promise<{ inputs: Properties; failures: { property: string; reason: string }[] }>;
  diff(
    id: string,
    olds: Properties,
    news: Properties,
  ): Promise<{ changes: boolean; replaces: string[]; deleteBeforeReplace: boolean }>;
  create(inputs: Properties): Promise<{ id: string; outs: Properties }>;
  read(id: string, props: Properties): Promise<{ id: string; props: Properties; inputs?: Properties }>;
  update(id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }>;
  delete(id: string, props: Properties): Promise<void>;
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
  const lifecycle = (): Lifecycle => (made ??= new Lifecycle(kind, shared.get()));
  // Made where it is called, so that an error of making the session is told like any other.
  const run = <T>(of: string, work: (life: Lifecycle, ledger: Ledger) => T | Promise<T>): Promise<T> =>
    guarded(
      () => work(lifecycle(), shared.get().ledger),
      (error) => told.errors.tell(error, of),
    );

  return {
    // The host calls this once a provider string, does not wait for it, and never again if it throws: so it only stores.
    configure({ config }) {
      shared.configuration = config;
      endWithEngine();
    },
    check: (olds, news) =>
      run(described(news), (life, ledger) => {
        const held = own(olds ?? {});
        const { properties, deep } = received(news, unknownValue);
        const checked = life.check(properties, held);
        const { inputs } = checked;
        const failures = [...depthFailures(deep), ...checked.failures];
        // The engine hands in old inputs of what the state holds, but not where it creates: a new resource, the creation of a
        // replacement, or a resource named by --replace or tainted.
        if (hasRecord && Object.keys(held).length > 0) ledger.markHeld(kind, held, compact(inputs));
        // The engine prints the value of a property that a failure names, so none names one: the reason carries the path.
        const reasons = failures.map(({ path, reason }) => ({
          property: "",
          reason: path === "" ? reason : `${path} ${reason}`,
        }));
        return { inputs: compact(inputs), failures: reasons };
      }),
    diff: (id, olds, news) =>
      run(described(olds, id), (life, ledger) => {
        const changes = life.diff(id, own(olds), own(news));
        const replacing = changes.filter((change) => change.replaces);
        const isOfProgram = hasRecord && ledger.settleHeld(kind, own(news));
        if (isOfProgram && replacing.length === 0) ledger.markDeclared(kind, id);
        if (replacing.length > 0) {
          const reasons = replacing.map((change) => `${change.property} ${describeChange(kind, change, discreet)}`);
          tellOnce(
            `replace ${described(olds, id)}: ${reasons.join(", ")}; set at creation only, so ${kind.replacementCost}`,
            told,
          );
        }
        return {
          changes: changes.length > 0,
          replaces: replacing.map((change) => change.property),
          // Of what is found, a replacement deletes nothing.
          deleteBeforeReplace: kind.origin !== "found" && shared.get().settings.replaceOrder === "delete-first",
        };
      }),
    create: (inputs) =>
      run(described(inputs), async (life) => {
        const created = await life.create(own(inputs));
        return { id: created.id, outs: compact(created.state) };
      }),
    read: (id, props) =>
      run(described(props, id), async (life) => {
        const former = own(props);
        const found = await life.read(id, former);
        if (found) return { id, props: compact(found.state), inputs: found.inputs };
        // Refresh has a state, and reports the object deleted by an empty id. `get` has none: there an id that is not there
        // would succeed silently.
        if (!isBare(former)) return { id: "", props: {} };
        throw new GoneError(`There is no ${kind.noun} ${id} in this account group. Correct the id, or accountGroupId.`);
      }),
    update: (id, olds, news) =>
      run(described(olds, id), async (life) => ({ outs: compact(await life.update(id, own(olds), own(news))) })),
    // What another resource stands for is only forgotten.
    delete: (id, props) =>
      run(described(props, id), (life, ledger) => ledger.delete(kind, id, () => life.remove(id, own(props)))),
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

/** @param tell what a user is told of an error; nothing for a bug */
async function guarded<T>(work: () => T | Promise<T>, tell: (error: unknown) => string | undefined): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const message = tell(error);
    if (message === undefined) throw error;
    // create and update understand these three members as: the object exists, keep it, tell the reasons.
    const partial =
      error instanceof PartialFailure ? { id: error.id, properties: compact(error.state), reasons: error.reasons } : {};
    // The host prints `${error}: ${error.stack}`: a user's mistake has no stack, and the engine prints the message.
    throw Object.assign(new Error(message), { stack: "", toString: () => "", ...partial });
  }
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
