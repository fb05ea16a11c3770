import { readSettings, type Wait } from "../api";
import { GoneError } from "./failures";
import type { Kind } from "./kind";
import { Lifecycle } from "./lifecycle";
import { openLog } from "./open-log";
import type { OperationLog } from "./operation-log";
import { endWithEngine, engineAddress } from "./parent";
import { Session } from "./session";
import { own, protocolOf, received } from "./received";
import { depthFailures } from "./shape";
import { isBare } from "./state";
import { ErrorReporter } from "./error-reporter";
import { ReachAnnouncer } from "./reach/announcer";
import { type Properties, compact, unknownValue } from "./values";
import { descriptionOf, differenceNotes, replacementText, stayText, waitText } from "./wording";
import { withSecrets, withSecretPairs, guarded, resourceOf } from "./dynamic-answers";

export interface ConfigureRequest {
  config: { get(key: string): string | undefined };
}

/** A provider of dynamic resources with the methods that Pulumi's provider host calls. */
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

export interface KindProvider extends DynamicProvider {
  /** The provider for resources with secrets, which omits names and values in messages. */
  discreet: DynamicProvider;
}

export interface Host {
  provider(kind: Kind): KindProvider;
}

/**
 * The session that all resource types in a provider process share. The session is created on first use, because `configure` must not throw.
 */
class SharedSession {
  configuration: ConfigureRequest["config"] | undefined;
  #session: Session | undefined;

  constructor(
    private readonly print: Print,
    private readonly open: () => OperationLog,
  ) {}

  get(): Session {
    if (this.#session) return this.#session;
    const configured = (name: string): string | undefined => this.configuration?.get(`endpoint-monitoring:${name}`);
    // The token in the environment is ignored if the provider has its own client credentials, because the token may belong to
    // another account.
    const { ENDPOINT_MONITORING_TOKEN: _, ...withoutToken } = process.env;
    const settings = readSettings(configured, configured("credentials") === "client" ? withoutToken : process.env);
    const client = { ...settings.client, onWait: (wait: Wait) => this.print(waitText(wait)) };
    return (this.#session = new Session({ ...settings, client }, undefined, this.open()));
  }
}

/** Prints a line to the stack's diagnostics, which show the output of the provider process. */
export type Print = (line: string) => void;

/** Creates the providers of a process, which all use the same session. */
export function createHost(
  print: Print = (line) => console.log(line),
  log: () => OperationLog = () => openLog(engineAddress(process.argv.slice(2))),
): Host {
  const shared = new SharedSession(print, log);
  const reach = new ReachAnnouncer(() => shared.get(), print);
  const reported = { replacements: new Set<string>(), notes: new Set<string>(), errors: new ErrorReporter(), reach, print };
  return {
    provider: (kind) => ({
      ...dynamicProvider(kind, shared, reported, false),
      discreet: dynamicProvider(kind, shared, reported, true),
    }),
  };
}

interface Reported {
  /** Lines that the process has printed. The engine may request the same diff twice, but each line of output must appear only once. */
  replacements: Set<string>;
  notes: Set<string>;
  errors: ErrorReporter;
  reach: ReachAnnouncer;
  print: Print;
}

function dynamicProvider(kind: Kind, shared: SharedSession, reported: Reported, discreet: boolean): DynamicProvider {
  const described = (properties: Properties, id?: string): string => descriptionOf(kind, properties, { id, discreet });
  let created: Lifecycle | undefined;
  // `Lifecycle` is created on first use, so that errors in the settings are reported like other errors.
  const lifecycle = (): Lifecycle => (created ??= new Lifecycle(kind, shared.get()));
  const marked = (state: Properties): Properties => withSecretPairs(state, discreet || kind.secrets);
  const guard = <A extends unknown[], T>(of: (...args: A) => string, work: (...args: A) => Promise<T>) =>
    guarded(work, (error, ...args) => reported.errors.messageFor(error, of(...args)), { discreet, marked });

  return {
    // `configure` only stores the settings, because Pulumi's provider host neither waits for `configure` nor repeats the call
    // after an error.
    configure({ config }) {
      shared.configuration = config;
      endWithEngine();
    },
    check: guard(
      (_, declared) => described(declared),
      async (state: Properties | undefined, declared: Properties) => {
        const stored = own(state ?? {});
        const { properties, deep } = received(declared, unknownValue);
        // The engine passes `stored`, which contains the inputs in the state, unless it creates or replaces the resource.
        const checked = lifecycle().check(properties, stored, resourceOf(declared), discreet);
        for (const note of checked.notes.filter((text) => !reported.notes.has(text))) {
          reported.notes.add(note);
          reported.print(`${described(declared)}: ${note}.`);
        }
        const inputs = compact(checked.inputs);
        // If a failure names a property in the member `property`, the engine prints that property's value, even if the value is secret. To
        // hide secrets, the member `property` is empty, and the reason contains the path of the property.
        const failures = [...depthFailures(deep), ...checked.failures].map(({ path, reason }) => ({
          property: "",
          reason: path === "" ? reason : `${path} ${reason}`,
        }));
        if (failures.length === 0) {
          const stays = stayText(kind, stored, inputs, discreet);
          if (stays !== undefined) printOnce(`${described(inputs)}: ${stays}`, reported);
          const line = await reported.reach.ofCheck(kind, stored, inputs, declared["__preview"] === true);
          if (line !== undefined) reported.print(`${described(inputs)}: ${line}`);
        }
        return { inputs: { ...withSecrets(inputs, kind.secrets), ...protocolOf(declared) }, failures };
      },
    ),
    diff: guard(
      (id, state) => described(state, id),
      async (id: string, state: Properties, declared: Properties) => {
        const inputs = own(declared);
        const resource = resourceOf(declared);
        const isDeclared = lifecycle().isDeclared(resource);
        const changes = lifecycle().diff(id, own(state), inputs, resource);
        const replacing = changes.filter((change) => change.replaces);
        const notes = differenceNotes(kind, own(state), inputs, changes, discreet);
        for (const note of notes) printOnce(`${described(state, id)}: ${note}`, reported);
        const isChanged = isDeclared && changes.length > 0;
        // The line about affected agents comes first, because it may report that the service did not answer.
        const line = isChanged
          ? await reported.reach.ofDiff({ kind, id }, own(state), inputs, replacing.length > 0)
          : undefined;
        if (replacing.length > 0) {
          printOnce(`replace ${described(state, id)}: ${replacementText(kind, replacing, discreet)}`, reported);
        }
        const lost =
          isChanged && replacing.length > 0 && reported.reach.isShown ? await lifecycle().referrers(id, own(state)) : [];
        for (const text of [line, ...lost]) if (text !== undefined) reported.print(`${described(state, id)}: ${text}`);
        return {
          changes: changes.length > 0,
          replaces: replacing.map((change) => change.property),
          deleteBeforeReplace: lifecycle().deletesFirst,
        };
      },
    ),
    create: guard(described, async (inputs: Properties) => {
      const report = (line: string): void => reported.print(`${described(inputs)}: ${line}`);
      const { id, state } = await lifecycle().create(own(inputs), resourceOf(inputs), report);
      return { id, outs: { ...marked(compact(state)), ...protocolOf(inputs) } };
    }),
    read: guard(
      (id, state) => described(state, id),
      async (id: string, state: Properties) => {
        const properties = own(state);
        const readResource = await lifecycle().read(id, properties, resourceOf(state));
        const protocol = protocolOf(state);
        if (readResource?.tooRecent !== undefined)
          reported.print(`warning: ${described(state, id)}: ${readResource.tooRecent}.`);
        if (readResource) {
          const props = { ...marked(compact(readResource.state)), ...protocol };
          return { id, props, inputs: { ...readResource.inputs, ...protocol } };
        }
        // In a refresh, an empty id means that the record was deleted. The function `get` passes no state, and would accept an empty id as
        // a success.
        if (!isBare(properties)) return { id: "", props: {} };
        throw new GoneError(
          `There is no ${kind.noun} ${id} in the selected account group. Correct the id or the property accountGroupId.`,
        );
      },
    ),
    update: guard(
      (id, state) => described(state, id),
      async (id: string, state: Properties, inputs: Properties) => {
        const updated = await lifecycle().update(id, own(state), own(inputs), resourceOf(inputs));
        return { outs: { ...marked(compact(updated)), ...protocolOf(inputs) } };
      },
    ),
    delete: guard(
      (id, state) => described(state, id),
      (id: string, state: Properties) =>
        lifecycle().delete(id, own(state), resourceOf(state), (line) => reported.print(`${described(state, id)}: ${line}`)),
    ),
  };
}

/** Prints a line once to the stack's diagnostics. In a preview, only the stack's diagnostics show the reason for a replacement. */
function printOnce(line: string, { replacements, print }: Reported): void {
  if (replacements.has(line)) return;
  replacements.add(line);
  print(line);
}
