import { registry, type KindName } from "../../provider/registry";
import { hasSecretTitle, titleOf as titleIn } from "../../provider/identity";
import { compareText } from "../../common/text";
import type { Step } from "../model";
import type { KnownRecord, NamedAgents } from "./review";
import type { ServiceAgent, Holdings } from "../../provider/reach/holdings";
import { seenCount } from "../../provider/reach/world";
import { keyAfter } from "../stand-ins";

const maxNames = 10;

/**
 * Names of agents, labels, tags and tests for reports. If the name of a record is secret, reports show the resource's name in the program
 * instead.
 */
export class Names {
  readonly #known = new Map<string, KnownRecord>();
  readonly #titles = new Map<string, string>();

  constructor(planned: readonly Step[], { records, agents }: Pick<Holdings, "records" | "agents">) {
    const kinds = Object.entries(registry);
    for (const { kind, id, state } of records) {
      const [kindName] = kinds.find(([, candidate]) => candidate === kind) ?? [];
      const name = titleIn(kind, state) ?? id;
      // Each entry of the registry is a pair of a name and a kind, so the cast is safe.
      if (kindName !== undefined) this.#known.set(id, { kind: kindName as KindName, name, id });
      this.#titles.set(id, name);
    }
    for (const { id, name } of [...agents.values()].flat()) this.#titles.set(id, name);
    for (const step of planned) this.#declare(step);
  }

  of(key: string): KnownRecord | undefined {
    return this.#known.get(key);
  }

  titleOf(id: string): string | undefined {
    return this.#titles.get(id);
  }

  agent({ id, name }: ServiceAgent): string {
    return this.#titles.get(id) ?? name;
  }

  list(agents: readonly ServiceAgent[]): NamedAgents {
    const names = agents.map((agent) => this.agent(agent)).toSorted(compareText);
    const seen = seenCount(agents);
    const isSome = seen !== undefined && seen < agents.length;
    return { count: agents.length, names: names.slice(0, maxNames), ...(isSome && { seen }) };
  }

  #declare(step: Step): void {
    const { kind, kindName, name, urn, state } = step;
    const id = state?.id;
    for (const key of [id, keyAfter(step)]) if (key !== undefined) this.#known.set(key, { kind: kindName, name, id, urn });
    if (id !== undefined && hasSecretTitle(kind, step.secrets)) this.#titles.set(id, name);
  }
}
