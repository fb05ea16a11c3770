import { EndpointMonitoringError } from "../api";
import type { Change } from "../provider/compare";
import { GoneError } from "../provider/failures";
import type { CreatedResource, ReadResource } from "../provider/handler";
import type { Kind } from "../provider/kind";
import { Lifecycle } from "../provider/lifecycle";
import type { Session } from "../provider/session";
import type { Announce, PreviewReach } from "../provider/reach/preview";
import { own, received } from "../provider/received";
import { depthFailures } from "../provider/shape";
import { isBare } from "../provider/state";
import { type Properties, compact, stringOf, unknownValue } from "../provider/values";
import { descriptionOf, differenceNotes, replacementText, stayText } from "../provider/wording";
import { RefusedRequestError } from "./token";

/**
 * Maximum number of account groups that the provider searches for the record of a failed import. The search of an account group requires a
 * list request and a get request.
 */
const maxAccountGroupsSearched = 10;

export interface PluginResource {
  readonly urn: string;
  readonly kind: Kind;
  /** Whether messages must omit names and values, because some names or values are secret. */
  readonly discreet: boolean;
}

/** Prints a line about a resource in the diagnostics of an operation. */
export type ResourceLog = (line: string, urn: string, severity?: "INFO" | "WARNING") => Promise<void>;

/** The engine's operations on native resources. The operations use the class `Lifecycle`, as dynamic resources do. */
export class Resources {
  /**
   * Maps URNs to the reasons for planned replacements. The provider prints the reason for a replacement when it creates the new resource.
   */
  readonly #replacements = new Map<string, { id: string; state: Properties; reason: string }>();
  #opened: PreviewReach | undefined;
  readonly #notes = new Set<string>();
  readonly #lifecycles = new Map<Kind, Lifecycle>();

  constructor(
    private readonly session: Session,
    private readonly log: ResourceLog,
    private readonly announce: Announce,
  ) {}

  /** `preview.ts` is loaded on demand, because only previews with changes need the module. */
  get #reach(): PreviewReach {
    const { PreviewReach: Loaded } = require("../provider/reach/preview") as typeof import("../provider/reach/preview");
    return (this.#opened ??= new Loaded(this.session, this.announce));
  }

  async check(
    { urn, kind, discreet }: PluginResource,
    state: Properties,
    declared: Properties,
  ): Promise<{ inputs: Properties; failures: string[] }> {
    const { properties, deep } = received(declared, unknownValue);
    // `state` contains the inputs from the state, and is empty if the engine creates or replaces the resource.
    const checked = this.#lifecycle(kind).check(properties, own(state), urn, discreet);
    const inputs = compact(checked.inputs);
    for (const note of checked.notes.filter((text) => !this.#notes.has(text))) {
      this.#notes.add(note);
      void this.log(`${note}.`, urn);
    }
    const all = [...depthFailures(deep), ...checked.failures];
    const stays = all.length === 0 ? stayText(kind, own(state), inputs, discreet) : undefined;
    if (stays !== undefined) await this.log(stays, urn);
    return { inputs, failures: all.map(({ path, reason }) => (path === "" ? reason : `${path} ${reason}`)) };
  }

  /** @throws DerivedReplacementError */
  diff({ urn, kind, discreet }: PluginResource, id: string, state: Properties, declared: Properties): Change[] {
    const changes = this.#lifecycle(kind).diff(id, own(state), own(declared), urn);
    const replacing = changes.filter((change) => change.replaces);
    for (const note of differenceNotes(kind, own(state), own(declared), changes, discreet)) {
      const line = `${urn} ${note}`;
      if (!this.#notes.has(line)) void this.log(note, urn);
      this.#notes.add(line);
    }
    // The reason for the replacement is not printed yet, because a refresh also requests diffs. The engine replaces the
    // resource only if a create request follows.
    const reason = `replaced because ${replacementText(kind, replacing, discreet)}`;
    if (replacing.length > 0) this.#replacements.set(urn, { id, state: own(state), reason });
    else this.#replacements.delete(urn);
    return changes;
  }

  deletesBeforeReplace(kind: Kind): boolean {
    return this.#lifecycle(kind).deletesFirst;
  }

  /** Prints the reason for a replacement. A preview also shows the agents that the new resource affects. */
  async announceCreate({ urn, kind }: PluginResource, inputs: Properties, isPreview: boolean): Promise<void> {
    const replaced = this.#replacements.get(urn);
    this.#replacements.delete(urn);
    const reach = isPreview ? await this.#reach.lineOf({ kind, id: replaced?.id, properties: own(inputs) }) : undefined;
    const isLost = isPreview && replaced && this.session.settings.previewReach && !this.#reach.isBlind;
    const lost = isLost ? await this.#lifecycle(kind).referrers(replaced.id, replaced.state) : [];
    for (const line of [replaced?.reason, reach, ...lost]) if (line !== undefined) await this.log(line, urn);
  }

  async announceUpdate({ urn, kind }: PluginResource, id: string, outputs: Properties): Promise<void> {
    const reach = await this.#reach.lineOf({ kind, id, properties: outputs });
    if (reach !== undefined) await this.log(reach, urn);
  }

  async create({ urn, kind }: PluginResource, inputs: Properties): Promise<CreatedResource> {
    const lines: string[] = [];
    try {
      return await this.#lifecycle(kind).create(own(inputs), urn, (line) => lines.push(line));
    } finally {
      // Lines about duplicates are printed in `finally`, because a partial success also throws an error.
      for (const line of lines) await this.log(line, urn, "WARNING");
    }
  }

  /**
   * Reads a record. A refresh passes the resource's state, but an import and `get` pass no state. The id of an import may
   * contain the account group, as in `1002/ID`.
   *
   * @returns undefined if a record in the state no longer exists
   * @throws GoneError if the record to import does not exist
   */
  async read({ urn, kind, discreet }: PluginResource, id: string, state: Properties): Promise<ReadResource | undefined> {
    const properties = own(state);
    if (!isBare(properties)) {
      const resource = await this.#lifecycle(kind).read(id, properties, urn);
      if (resource?.tooRecent !== undefined)
        await this.announce(`${descriptionOf(kind, properties, { id, discreet })}: ${resource.tooRecent}.`);
      return resource;
    }
    const named = /^(?<accountGroupId>[^/]+)\/(?<id>[^/]+)$/.exec(id)?.groups;
    const wanted = {
      id: named?.["id"] ?? id,
      accountGroupId: named?.["accountGroupId"] ?? stringOf(properties["accountGroupId"]),
    };
    const readResource = await this.#lifecycle(kind).read(wanted.id, compact({ accountGroupId: wanted.accountGroupId }));
    if (readResource) return readResource;
    throw new GoneError(await this.#nothingToImport(kind, wanted));
  }

  async update({ urn, kind }: PluginResource, id: string, state: Properties, inputs: Properties): Promise<Properties> {
    return this.#lifecycle(kind).update(id, own(state), own(inputs), urn);
  }

  async delete({ urn, kind }: PluginResource, id: string, state: Properties): Promise<void> {
    await this.#lifecycle(kind).delete(id, own(state), urn, (line) => void this.log(line, urn));
  }

  /**
   * Lists the records of an account group.
   *
   * @throws RefusedRequestError for an unknown argument, or for a resource type that the service cannot list
   */
  async list(kind: Kind, query: Properties): Promise<ReadResource[]> {
    const { accountGroupId, ...others } = compact(query);
    const strange = Object.keys(others);
    if (strange.length > 0)
      throw new RefusedRequestError(
        `The request to list ${kind.name} resources has an unknown argument: ${strange.join(", ")}. Expected: accountGroupId.`,
      );
    const records = await this.#lifecycle(kind).list(stringOf(accountGroupId));
    if (records) return records;
    throw new RefusedRequestError(
      `The service cannot list ${kind.name} resources, because they represent actions, not records.`,
    );
  }

  /**
   * Returns the error message for an import of a missing record. If another account group contains the record, the message
   * names this account group.
   */
  async #nothingToImport(
    kind: Kind,
    { id, accountGroupId }: { id: string; accountGroupId: string | undefined },
  ): Promise<string> {
    const missing = `There is no ${kind.noun} ${id} in the selected account group.`;
    const elsewhere = kind.origin === "made" ? await this.#accountGroupOf(kind, id, accountGroupId) : undefined;
    if (elsewhere === undefined) return `${missing} Correct the id or the property accountGroupId.`;
    return `${missing} The ${kind.noun} is in account group ${elsewhere}. To import the ${kind.noun}, use the id ${elsewhere}/${id}.`;
  }

  /**
   * Searches all other account groups that the token's user may see, and returns the account group that contains the record.
   */
  async #accountGroupOf(kind: Kind, id: string, but: string | undefined): Promise<string | undefined> {
    const searched = but ?? (await this.session.accountGroupId());
    const groups = (await this.session.accountGroups()).flatMap(({ aid }) =>
      aid === undefined || aid === searched ? [] : [aid],
    );
    for (const accountGroupId of groups.slice(0, maxAccountGroupsSearched)) {
      try {
        if (await this.#lifecycle(kind).read(id, { accountGroupId })) return accountGroupId;
      } catch (error) {
        // The search skips account groups that the token's user may not read.
        if (!(error instanceof EndpointMonitoringError)) throw error;
      }
    }
    return undefined;
  }

  #lifecycle(kind: Kind): Lifecycle {
    const lifecycle = this.#lifecycles.get(kind) ?? new Lifecycle(kind, this.session);
    this.#lifecycles.set(kind, lifecycle);
    return lifecycle;
  }
}
