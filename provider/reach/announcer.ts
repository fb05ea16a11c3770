import type { Kind } from "../kind";
import { updatedPreview } from "../state";
import type { Session } from "../session";
import { type Properties, stable } from "../values";
import type { Announce, PreviewReach } from "./preview";
import type { ReachChange } from "./preview-text";

/**
 * Reports in previews which agents a change affects, as far as the host of dynamic providers allows it. For a new resource, a
 * preview calls check. For an existing resource, it calls check and diff. For a replacement, it calls check once more, without
 * a state. So the line about a new resource is printed by check, and any other line by diff.
 */
export class ReachAnnouncer {
  #isPreview = false;
  #reach: PreviewReach | undefined;
  /** Kind and inputs of replaced resources, until their replacement is checked. */
  readonly #replaced: string[] = [];

  constructor(
    private readonly session: () => Session,
    private readonly announce: Announce,
  ) {}

  /** Whether this is a preview with the additional lines, and the service can be reached. */
  get isShown(): boolean {
    return this.#isPreview && this.session().settings.previewReach && this.#reach?.isBlind !== true;
  }

  /**
   * Returns the line about a resource that passed its check; undefined unless it is new. @param isPreview whether the program
   * runs in a preview
   */
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
    // Only previews with changes load it.
    const { PreviewReach: Loaded } = require("./preview") as typeof import("./preview");
    this.#reach ??= new Loaded(this.session(), this.announce);
    return this.#reach.lineOf(change);
  }
}

function keyOf(kind: Kind, inputs: Properties): string {
  return `${kind.name} ${stable(inputs)}`;
}
