import type { Kind } from "../kind";
import { updatedPreview } from "../state";
import type { Session } from "../session";
import { type Properties, stable } from "../values";
import type { Announce, PreviewReach } from "./preview";
import type { ReachChange } from "./preview-text";

/**
 * Says in previews whom changes reach, as far as the host of dynamic providers lets it. A preview is check for a new resource, check and
 * diff for one in the state, and once more check, without a state, for the replacement. So a line about a new resource is said when it
 * is checked, and any other when it differs.
 */
export class ReachAnnouncer {
  #isPreview = false;
  #reach: PreviewReach | undefined;
  /** Kind and inputs of resources that are replaced, whose replacement has not been checked. */
  readonly #replaced: string[] = [];

  constructor(
    private readonly session: () => Session,
    private readonly announce: Announce,
  ) {}

  /** Whether this is a preview that shows more than the engine does, of a service that can be asked. */
  get isShown(): boolean {
    return this.#isPreview && this.session().settings.previewReach && this.#reach?.isBlind !== true;
  }

  /** Returns the line about a resource that check passed; undefined unless it is new. @param isPreview what the program says */
  async ofCheck(kind: Kind, properties: Properties, inputs: Properties, isPreview: boolean): Promise<string | undefined> {
    this.#isPreview = isPreview;
    if (!isPreview || Object.keys(properties).length > 0) return undefined;
    const at = this.#replaced.indexOf(keyOf(kind, inputs));
    if (at < 0) return this.#lineOf({ kind, id: undefined, properties: inputs });
    this.#replaced.splice(at, 1);
    return undefined;
  }

  /** Returns the line about a resource of the program that differs from its state. */
  async ofDiff(
    { kind, id }: { kind: Kind; id: string },
    state: Properties,
    inputs: Properties,
    isReplaced: boolean,
  ): Promise<string | undefined> {
    if (!this.#isPreview) return undefined;
    if (isReplaced) this.#replaced.push(keyOf(kind, inputs));
    return this.#lineOf({ kind, id, properties: isReplaced ? inputs : updatedPreview(kind, state, inputs) });
  }

  #lineOf(change: ReachChange): Promise<string | undefined> {
    // Loaded in previews that change something.
    const { PreviewReach: Loaded } = require("./preview") as typeof import("./preview");
    this.#reach ??= new Loaded(this.session(), this.announce);
    return this.#reach.lineOf(change);
  }
}

function keyOf(kind: Kind, inputs: Properties): string {
  return `${kind.name} ${stable(inputs)}`;
}
