import { type AlertRuleRecord, type Client, EndpointMonitoringError } from "../../api";

/** The member of alert rules and streams that refers to a record by id. */
export type ReferredAs = "test" | "label" | "tag";

interface Referable {
  readonly name: string;
  readonly noun: string;
  /** Undefined for resource types that alert rules and streams cannot refer to. */
  readonly referredAs?: ReferredAs;
}

export interface Reference {
  readonly by: "alert rule" | "stream";
  readonly id: string;
  readonly name: string;
}

/** The alert rules and streams that refer to a record. The service may omit references, so an empty list proves nothing. */
export interface Referrers {
  readonly references: readonly Reference[];
  /** Reasons why lists could not be read, as sentences without a full stop. */
  readonly unasked: readonly string[];
}

/**
 * Maximum number of alert rules to read in an account group. The list of alert rules does not show the tests of each rule, so the provider
 * sends a get request for each rule.
 */
export const maxRulesRead = 100;
/** Maximum time in milliseconds that an operation waits for the list of alert rules and streams. */
const patienceMs = 10_000;
const maxNames = 5;

const late = `The service did not list the alert rules and streams that refer to deleted or replaced records within ${patienceMs / 1_000} s`;

/** Finds the alert rules and streams that refer to a record. A failed request never makes the operation fail. */
export class References {
  readonly #looks = new Map<string, ReferenceRequest>();
  readonly #reported = new Set<string>();

  constructor(private readonly client: Client) {}

  /** @returns undefined for a resource type that alert rules and streams cannot refer to */
  async to({ referredAs }: Referable, id: string, accountGroupId: string | undefined): Promise<Referrers | undefined> {
    if (referredAs === undefined) return undefined;
    const key = accountGroupId ?? "";
    const look = this.#looks.get(key) ?? new ReferenceRequest(this.client, accountGroupId);
    this.#looks.set(key, look);
    return look.at(referredAs, id);
  }

  /**
   * Returns lines about alert rules and streams that refer to a deleted or replaced record. Each call returns only lines that no earlier
   * call returned.
   */
  async linesOf(kind: Referable, id: string, accountGroupId: string | undefined): Promise<string[]> {
    const giveUp = Promise.withResolvers<Referrers>();
    const timer = setTimeout(() => giveUp.resolve({ references: [], unasked: [late] }), patienceMs);
    const { references, unasked } = (await Promise.race([this.to(kind, id, accountGroupId), giveUp.promise])) ?? none;
    clearTimeout(timer);
    const lost = references.length > 0 ? [{ key: `${kind.name} ${id}`, text: lossText(kind, references) }] : [];
    const lines = [...lost, ...unasked.map((text) => ({ key: text, text: `${text}.` }))];
    return lines.flatMap(({ key, text }) => {
      if (this.#reported.has(key)) return [];
      this.#reported.add(key);
      return [text];
    });
  }
}

const none: Referrers = { references: [], unasked: [] };

/** The alert rules and streams of an account group, which are requested on first use. */
class ReferenceRequest {
  readonly #aid: string | undefined;
  #streams: Promise<ReferenceLookup> | undefined;
  #rules: Promise<RuleList> | undefined;
  #readRules: Promise<ReferenceLookup> | undefined;

  constructor(
    private readonly client: Client,
    aid: string | undefined,
  ) {
    this.#aid = aid;
  }

  async at(as: ReferredAs, id: string): Promise<Referrers> {
    // Alert rules cannot refer to tags. A list of alert rules contains the labels of each rule.
    const rules = as === "tag" ? [] : [as === "test" ? (this.#readRules ??= this.#readAll()) : this.#listed()];
    const all = await Promise.all([...rules, (this.#streams ??= this.#readStreams())]);
    return {
      references: all.flatMap(({ named }) => named.get(`${as} ${id}`) ?? []),
      unasked: all.flatMap(({ unasked }) => unasked ?? []),
    };
  }

  async #listed(): Promise<ReferenceLookup> {
    const { rules, unasked } = await (this.#rules ??= this.#list());
    return { named: indexOf(rules, namedByRule), unasked };
  }

  async #list(): Promise<RuleList> {
    try {
      return { rules: (await this.client.alertRules.list({ query: { aid: this.#aid } })).alertRules };
    } catch (error) {
      return { rules: [], unasked: `The alert rules could not be read: ${reasonOf(error)}` };
    }
  }

  async #readAll(): Promise<ReferenceLookup> {
    const { rules, unasked } = await (this.#rules ??= this.#list());
    // The provider reads alert rules for endpoint tests first, because it reads at most `maxRulesRead` rules.
    const inOrder = rules.toSorted((a, b) => Number(isOfEndpoints(b)) - Number(isOfEndpoints(a)));
    const reads = await Promise.all(inOrder.slice(0, maxRulesRead).map(({ ruleId }) => this.#readRule(ruleId)));
    const failed = reads.filter((read) => typeof read === "string");
    const unread = Math.max(rules.length - maxRulesRead, 0) + failed.length;
    const why = failed[0] ?? `the limit is ${maxRulesRead} requests, one for each rule`;
    const left = unread === 0 ? undefined : `${unread} of ${rules.length} alert rules were not read: ${why}`;
    return {
      named: indexOf(
        reads.filter((read) => typeof read !== "string"),
        namedByRule,
      ),
      unasked: unasked ?? left,
    };
  }

  /** @returns the alert rule, or the reason why it could not be read */
  async #readRule(ruleId: string): Promise<AlertRuleRecord | string> {
    try {
      return await this.client.alertRules.get({ path: { ruleId }, query: { aid: this.#aid } });
    } catch (error) {
      return reasonOf(error);
    }
  }

  async #readStreams(): Promise<ReferenceLookup> {
    try {
      const streams = await this.client.streams.list({ query: { aid: this.#aid } });
      return {
        named: indexOf(streams, ({ id, name = id, testMatch = [], endpointAgentLabel = [], endpointAgentTag = [] }) => [
          { by: "stream", id, name },
          [
            ...testMatch.flatMap(({ id: test, domain }) => (domain === "cea" ? [] : [`test ${test}`])),
            ...endpointAgentLabel.map((label) => `label ${label.id}`),
            ...endpointAgentTag.map((tag) => `tag ${tag.id}`),
          ],
        ]),
      };
    } catch (error) {
      return { named: new Map(), unasked: `The streams could not be read: ${reasonOf(error)}` };
    }
  }
}

interface RuleList {
  rules: AlertRuleRecord[];
  unasked?: string;
}

interface ReferenceLookup {
  named: ReadonlyMap<string, readonly Reference[]>;
  unasked?: string | undefined;
}

type Naming = [reference: Reference, named: readonly string[]];

function indexOf<T>(records: readonly T[], read: (record: T) => Naming): ReferenceLookup["named"] {
  const byRecord = new Map<string, Reference[]>();
  for (const [reference, keys] of records.map(read)) {
    for (const key of new Set(keys)) byRecord.set(key, [...(byRecord.get(key) ?? []), reference]);
  }
  return byRecord;
}

function namedByRule({
  ruleId: id,
  ruleName: name = id,
  testIds = [],
  tests = [],
  endpointLabelIds = [],
}: AlertRuleRecord): Naming {
  // Tests of other ThousandEyes products can have the same ids as endpoint tests.
  const others = new Set(tests.flatMap(({ testId, type }) => (type === undefined || isEndpoint(type) ? [] : [testId])));
  const ids = [...testIds, ...tests.flatMap(({ testId }) => testId ?? [])].filter((test) => !others.has(test));
  return [
    { by: "alert rule", id, name },
    [...ids.map((test) => `test ${test}`), ...endpointLabelIds.map((label) => `label ${label}`)],
  ];
}

function isOfEndpoints({ alertType = "" }: AlertRuleRecord): boolean {
  return isEndpoint(alertType);
}

function isEndpoint(type: string): boolean {
  return type.startsWith("endpoint-");
}

function reasonOf(error: unknown): string {
  if (error instanceof EndpointMonitoringError) return error.message.replace(/\.$/, "");
  throw error;
}

/** Returns a sentence about lost references, such as `1 stream names this test and will lose it`. */
export function lossSentence({ referredAs }: Pick<Referable, "referredAs">, references: readonly Reference[]): string {
  const counts = (["alert rule", "stream"] as const).flatMap((by) => {
    const number = references.filter((reference) => reference.by === by).length;
    return number === 0 ? [] : [`${number} ${by}${number === 1 ? "" : "s"}`];
  });
  return `${counts.join(" and ")} ${references.length === 1 ? "names" : "name"} this ${referredAs ?? "record"} and will lose it`;
}

function lossText(kind: Referable, references: readonly Reference[]): string {
  // Users choose the names of alert rules and streams. The function replaces control characters, so that a line break in a name does not
  // start a new line of output.
  const names = references.map(({ name }) => name.replaceAll(/\p{C}+/gu, " "));
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : "";
  return `${lossSentence(kind, references)}: ${names.slice(0, maxNames).join(", ")}${more}`;
}
