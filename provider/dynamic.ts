import { readSettings } from "../api";
import { allowedWords } from "./check";
import type { Change } from "./compare";
import { GoneError, PartialFailure } from "./failures";
import type { Kind } from "./kind";
import type { Ledger } from "./ledger";
import { Lifecycle } from "./lifecycle";
import { endWithEngine } from "./parent";
import { Session } from "./session";
import { isBare } from "./state";
import { tell } from "./tell";
import { type Properties, compact } from "./values";

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

/** The providers of one process. */
export interface Host {
  provider(kind: Kind): DynamicProvider;
}

/** A session that all kinds of a process share, made when first needed, so that `configure` cannot fail. */
class SharedSession {
  configuration: ConfigureRequest["config"] | undefined;
  #session: Session | undefined;

  /** @throws ConfigurationError */
  get(): Session {
    return (this.#session ??= new Session(readSettings((name) => this.configuration?.get(`endpoint-monitoring:${name}`))));
  }
}

/** The providers of one process: they share one configuration, one session and one ledger. */
export function createHost(): Host {
  const shared = new SharedSession();
  const toldReplacements = new Set<string>();
  return { provider: (kind) => dynamicProvider(kind, shared, toldReplacements) };
}

/**
 * Translates between the protocol of dynamic providers and the lifecycle. The engine's peculiarities end here.
 *
 * @param told replacements told already: the engine asks for a diff more than once
 */
function dynamicProvider(kind: Kind, shared: SharedSession, told: Set<string>): DynamicProvider {
  let made: Lifecycle | undefined;
  // What cannot be listed is no record of the service: two resources may have one id, and deleting changes nothing.
  const hasRecord = kind.origin !== undefined;
  const lifecycle = (): Lifecycle => (made ??= new Lifecycle(kind, shared.get()));
  // Made where it is called, so that an error of making the session is told like any other.
  const run = <T>(work: (life: Lifecycle, ledger: Ledger) => T | Promise<T>): Promise<T> =>
    guarded(() => work(lifecycle(), shared.get().ledger));

  return {
    // The host calls this once a provider string, does not wait for it, and never again if it throws: so it only stores.
    configure({ config }) {
      shared.configuration = config;
      endWithEngine();
    },
    check: (olds, news) =>
      run((life, ledger) => {
        const held = own(olds ?? {});
        const { inputs, failures } = life.check(own(news), held);
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
      run((life, ledger) => {
        const changes = life.diff(id, own(olds), own(news));
        const replacing = changes.filter((change) => change.replaces);
        const isOfProgram = hasRecord && ledger.settleHeld(kind, own(news));
        if (isOfProgram && replacing.length === 0) ledger.markDeclared(kind, id);
        if (replacing.length > 0) tellReplacement(kind, id, replacing, told);
        return {
          changes: changes.length > 0,
          replaces: replacing.map((change) => change.property),
          // Of what is found, a replacement deletes nothing.
          deleteBeforeReplace: kind.origin !== "found" && shared.get().settings.replaceOrder === "delete-first",
        };
      }),
    create: (inputs) =>
      run(async (life) => {
        const created = await life.create(own(inputs));
        return { id: created.id, outs: compact(created.state) };
      }),
    read: (id, props) =>
      run(async (life) => {
        const former = own(props);
        const found = await life.read(id, former);
        if (found) return { id, props: compact(found.state), inputs: found.inputs };
        // Refresh has a state, and reports the object deleted by an empty id. `get` has none: there an id that is not there
        // would succeed silently.
        if (!isBare(former)) return { id: "", props: {} };
        throw new GoneError(`There is no ${kind.noun} ${id} in this account group. Correct the id, or accountGroupId.`);
      }),
    update: (id, olds, news) => run(async (life) => ({ outs: compact(await life.update(id, own(olds), own(news))) })),
    // What another resource stands for is only forgotten.
    delete: (id, props) => run((life, ledger) => ledger.delete(kind, id, () => life.remove(id, own(props)))),
  };
}

/** Properties without the provider string that the host carries among them, and without what is absent. */
function own(properties: Properties): Properties {
  const { __provider, ...rest } = properties;
  return compact(rest);
}

async function guarded<T>(work: () => T | Promise<T>): Promise<T> {
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

/**
 * One line on the stack's diagnostics: a preview shows nowhere else why something is replaced. The id has to do: the name may be a
 * secret, of which the host tells a provider nothing, and the engine hides in such a line only the secrets of the configuration.
 */
function tellReplacement(kind: Kind, id: string, changes: readonly Change[], told: Set<string>): void {
  const reasons = changes.map((change) => `${change.property} ${describeChange(kind, change)}`).join(", ");
  const line = `replace ${kind.noun} ${id}: ${reasons}; set at creation only, so ${kind.replacementCost}`;
  if (told.has(line)) return;
  told.add(line);
  console.log(line);
}

/** How a property changes. Values are shown of properties that take one of a few words, numbers or flags: others may be secret. */
function describeChange(kind: Kind, { property, how, before, after, unknown }: Change): string {
  if (unknown) return "is known after the update only";
  const shown = (value: unknown): boolean => value === undefined || isPlain(kind, property, value);
  if (how !== "changed" || !shown(before) || !shown(after)) return how;
  return `${String(before)} -> ${String(after)}`;
}

function isPlain(kind: Kind, property: string, value: unknown): boolean {
  if (typeof value === "number" || typeof value === "boolean") return true;
  return allowedWords(kind, property).includes(String(value));
}
