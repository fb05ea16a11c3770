import { registry, type KindName } from "../../provider/registry";
import { hasSecretTitle, titleOf as titleIn } from "../../provider/identity";
import { compareText } from "../report/text";
import type { Step } from "../operation/operation";
import type { KnownRecord, NamedAgents } from "./report";
import type { Agent, Holdings } from "../../provider/reach/holdings";
import { seenCount } from "../../provider/reach/world";
import { keyAfter } from "../operation/stand-ins";

const maxNames = 10;

/** How many agents checked in within the hour, if not all of them did. */
export function someSeen(agents: readonly Agent[]): { seen?: number } {
  const seen = seenCount(agents);
  return seen === undefined || seen === agents.length ? {} : { seen };
}

/**
 * Names of agents, labels and tests. What a program keeps secret is not revealed by what the service returns: it goes by its name in
 * the program.
 */
export class Names {
  readonly #known = new Map<string, KnownRecord>();
  /** Names in the service, by id; in the program of those whose own name is secret. */
  readonly #titles = new Map<string, string>();

  constructor(planned: readonly Step[], { records, agents }: Pick<Holdings, "records" | "agents">) {
    const kinds = Object.entries(registry);
    for (const { kind, id, state } of records) {
      const [kindName] = kinds.find(([, one]) => one === kind) ?? [];
      const name = titleIn(kind, state) ?? id;
      // A key of the registry: that is where the kind was found.
      if (kindName !== undefined) this.#known.set(id, { kind: kindName as KindName, name, id });
      this.#titles.set(id, name);
    }
    for (const { id, name } of [...agents.values()].flat()) this.#titles.set(id, name);
    for (const one of planned) this.#declare(one);
  }

  of(key: string): KnownRecord | undefined {
    return this.#known.get(key);
  }

  /** Returns the name in the service of a record or agent. */
  titleOf(id: string): string | undefined {
    return this.#titles.get(id);
  }

  agent({ id, name }: Agent): string {
    return this.#titles.get(id) ?? name;
  }

  /** Agents by name: how many, and the first ones in order. */
  list(agents: readonly Agent[]): NamedAgents {
    const names = agents.map((agent) => this.agent(agent)).toSorted(compareText);
    return { count: agents.length, names: names.slice(0, maxNames), ...someSeen(agents) };
  }

  #declare(one: Step): void {
    const { kind, kindName, name, urn, state } = one;
    const id = state?.id;
    for (const key of [id, keyAfter(one)]) if (key !== undefined) this.#known.set(key, { kind: kindName, name, id, urn });
    if (id !== undefined && hasSecretTitle(kind, one.secrets)) this.#titles.set(id, name);
  }
}
