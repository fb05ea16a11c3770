import type { AccountGroupArgs, LimitArgs, OneOf } from "./arguments";
import { fetching, outputForm, paged } from "./define";
import type { Fetch, FetchAll, FetchOutput } from "./fetch";
import { checkOneOf, exactlyOne } from "./exactly-one";
import type { LabelRecord } from "./records";

/** Arguments of {@link getLabels}. */
export interface GetLabelsArgs extends AccountGroupArgs, LimitArgs {
  /**
   * Number of labels per page, at least 1. The service does not document limits of the page size, and may choose another page
   * size.
   */
  max?: number;
}

/**
 * Returns the labels of an account group with their filters.
 *
 * @example
 * ```ts
 * const labels = await getLabels();
 * const ofPlatforms = labels.filter((label) => label.filters?.some((filter) => filter.key === "platform"));
 * ```
 */
export const getLabels: FetchAll<GetLabelsArgs, LabelRecord> = paged({
  operation: (operations) => operations.labels.list,
  wire: withFilters,
  rows: (page) => page.labels,
});

/**
 * Returns the result of {@link getLabels} as an output. The arguments may be outputs of resources.
 *
 * @example
 * ```ts
 * export const names = getLabelsOutput({}, { dependsOn: office }).apply((labels) => labels.map((label) => label.name));
 * ```
 */
export const getLabelsOutput: FetchOutput<GetLabelsArgs, LabelRecord[]> = outputForm(getLabels);

interface LabelLookup {
  /** Identifier of the label. */
  id: string;
  /** Exact name of the label, which must be unique. */
  name: string;
}

/** Arguments of {@link getLabel}, with exactly one of `id` and `name`. */
export type GetLabelArgs = AccountGroupArgs & OneOf<LabelLookup>;

/**
 * Looks up a label by its id or exact name, and returns the label with its filters.
 *
 * @throws NotFoundError if no label has the requested id
 * @throws LookupError unless exactly one label has the requested name. The error message lists all labels with the requested
 * name
 *
 * @example
 * ```ts
 * const office = await getLabel({ name: "Office" });
 * new AgentToServerTest("gateway", {
 *   testName: "Gateway",
 *   server: "vpn.example.com",
 *   agentSelectorType: "agent-labels",
 *   endpointAgentLabels: [office.id],
 * });
 * ```
 */
export const getLabel: Fetch<GetLabelArgs, LabelRecord> = fetching(async (session, args) => {
  const { id, name, ...rest } = args;
  const by = { id, name };
  checkOneOf(session, "labels", by);
  const { labels } = session.api.operations;
  if (id !== undefined) return session.call(labels.get, withFilters({ id, ...rest }));
  const hits: LabelRecord[] = [];
  for await (const page of session.pages(labels.list, withFilters(rest))) {
    for (const label of page.labels) if (label.name === name) hits.push(label);
  }
  return exactlyOne(session, hits, {
    call: "getLabel",
    what: "label",
    by,
    id: "id",
    show: (label) => `${label.id} (${label.name ?? "unnamed"})`,
  });
});

/**
 * Returns the result of {@link getLabel} as an output. The arguments may be outputs of resources.
 *
 * @example
 * ```ts
 * export const filters = getLabelOutput({ id: office.id }).apply((label) => label.filters);
 * ```
 */
export const getLabelOutput: FetchOutput<GetLabelArgs, LabelRecord> = outputForm(getLabel);

/** Adds `expand` to the arguments, because reads omit filters by default (docs/service/labels.md, Reads and updates). */
function withFilters(args: object): object {
  return { ...args, expand: ["filters"] };
}
