import type { Kind } from "../kind";
import { updatedPreview } from "../state";
import type { Session } from "../session";
import { type Properties, stable } from "../values";
import type { Announce, PreviewReach } from "./preview";
import type { ReachChange } from "./preview-text";

/**
 * Shows in previews which agents a change affects. For a new resource, Pulumi's provider host only calls `check`, so the class prints the
 * line about affected agents after `check`. For an existing resource, the class prints the line after `diff`. For a replacement, the host
 * calls `check` a second time, without a state.
 */
export class ReachAnnouncer {
  #isPreview = false;
  #reach: PreviewReach | undefined;
  readonly #replaced: string[] = [];

  constructor(
    private readonly session: () => Session,
    private readonly announce: Announce,
  ) {}

  /** Whether the preview shows affected agents. */
  get isShown(): boolean {
    return this.#isPreview && this.session().settings.previewReach && this.#reach?.isBlind !== true;
  }

  /** Returns the line about the agents that a new resource affects. Returns undefined for an existing resource. */
  async ofCheck(kind: Kind, properties: Properties, inputs: Properties, isPreview: boolean): Promise<string | undefined> {
    this.#isPreview = isPreview;
    if (!isPreview || Object.keys(properties).length > 0) return undefined;
    const at = this.#replaced.indexOf(keyOf(kind, inputs));
    if (at < 0) return this.#lineOf({ kind, id: undefined, properties: inputs });
    this.#replaced.splice(at, 1);
    return undefined;
  }

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
    // `preview.ts` is loaded on demand, because only previews with changes need it.
    const { PreviewReach: Loaded } = require("./preview") as typeof import("./preview");
    this.#reach ??= new Loaded(this.session(), this.announce);
    return this.#reach.lineOf(change);
  }
}

function keyOf(kind: Kind, inputs: Properties): string {
  return `${kind.name} ${stable(inputs)}`;
}
