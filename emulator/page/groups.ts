import { count, counted } from "../../common/text";
import { type Operation, operations } from "../../api/schemas";
import type { StoreRow } from "../store";
import { agentTable } from "./agents";
import { actions, button, form, membersFor } from "./edit";
import { userText } from "./format";
import { type Content, type Html, html } from "./html";
import { groupLink, groupNamed, type GroupLinks, labelLinks, tagLinks } from "./links";
import { type Column, facts, pager, part, searchBox, slice, table } from "./parts";
import {
  type FleetAgent,
  agentsOfLabel,
  agentsOfTag,
  type PageLabel,
  labelById,
  labelsOf,
  type Tag,
  tagById,
  tagsOf,
  type ShownTest,
  testsOf,
} from "./sources";
import { testTable } from "./test-table";
import { href, type Screen, type PageRequest } from "./visit";

interface GroupKind<R extends StoreRow<object>> extends GroupLinks<R> {
  /** Noun in lower case, such as `label`. */
  readonly noun: string;
  readonly lead: string;
  readonly all: (service: PageRequest["service"], aid: string) => R[];
  readonly byId: (service: PageRequest["service"], id: string) => R | undefined;
  readonly agents: (service: PageRequest["service"], group: R) => readonly FleetAgent[];
  /** Returns the ids of the labels or tags that select the agents of a test. */
  readonly namedBy: (test: ShownTest) => readonly string[] | undefined;
  readonly rule: (group: R) => Html;
  /** Returns the type of objects that a tag applies to. A label always applies to agents. */
  readonly on?: (group: R) => string;
  readonly whyNobody: (group: R) => string;
  readonly facts: (group: R) => readonly (readonly [name: string, value: Content])[];
  readonly operations: Readonly<Record<"create" | "update" | "delete", Operation>>;
  readonly initial: object;
}

const noMatch = "No agent matches the rule.";

const labelKind: GroupKind<PageLabel> = {
  ...labelLinks,
  noun: "label",
  lead: "A label is on all agents that match its rule. The emulator evaluates the rule for each request.",
  all: labelsOf,
  byId: labelById,
  agents: agentsOfLabel,
  namedBy: ({ body }) => body.endpointAgentLabels,
  rule: ({ body }) => ruleOf(body),
  whyNobody: () => noMatch,
  facts: () => [],
  operations: operations.labels,
  initial: { filters: [] },
};

const tagKind: GroupKind<Tag> = {
  ...tagLinks,
  noun: "tag",
  lead: "A dynamic tag is on all agents that match its rule. The emulator evaluates the rule for each request. A static tag is on its assigned objects.",
  all: tagsOf,
  byId: tagById,
  agents: agentsOfTag,
  namedBy: ({ body }) => body.tagIds,
  rule: ({ body: { type, matchType = "or", filters = [], assignments } }) =>
    type === "dynamic"
      ? ruleOf({ matchType, filters })
      : html`<span class="quiet">assigned to ${counted(assignments.length, "object")}</span>`,
  on: ({ body }) => body.objectType,
  whyNobody: ({ body }) => (body.type === "dynamic" ? noMatch : "Agents can have only dynamic tags."),
  facts: ({ body: { description, type, assignments } }) => [
    ["Description", description === undefined ? undefined : userText(description)],
    ["Type", type],
    ["Assigned to", assignments.length > 0 && assignedTo(assignments)],
  ],
  operations: operations.tags,
  initial: { objectType: "endpoint-agent", type: "dynamic", accessType: "all", matchType: "or", filters: [] },
};

/** Number of labels or tags on a page. A page has few rows, because the server computes the agents of each row. */
const pageSize = 25;
const shownAgents = 50;
const shownTests = 50;
const shownObjects = 50;

export const labelsScreen = listOf(labelKind);
export const labelScreen = screenOf(labelKind);
export const tagsScreen = listOf(tagKind);
export const tagScreen = screenOf(tagKind);

function listOf<R extends StoreRow<object>>(kind: GroupKind<R>): (visit: PageRequest) => Screen {
  const { noun, path, lead, on } = kind;
  const plural = `${noun}s`;
  const title = titled(plural);
  return ({ service, aid, query }) => {
    const search = query.get("search") ?? "";
    const groups = kind.all(service, aid);
    const wanted = search.toLowerCase();
    const page = slice(
      groups.filter((group) => kind.name(group).toLowerCase().includes(wanted)),
      query,
      pageSize,
    );
    const tests = testsOf(service, aid);
    const columns: Column<R>[] = [
      { name: titled(noun), cell: (group) => groupLink(kind, group) },
      ...(on ? [{ name: "On", plain: true, cell: on }] : []),
      { name: "Rule", plain: true, cell: kind.rule },
      { name: "Agents now", number: true, cell: (group) => count(kind.agents(service, group).length) },
      { name: "Tests", number: true, cell: (group) => count(usersOf(kind, group, tests).length) },
    ];
    const empty = search === "" ? `No ${plural} in this account group.` : `No ${noun} has this text in its name.`;
    return {
      title,
      section: path,
      main: html`<h1>${title}</h1>
        <p class="lead">${counted(groups.length, noun)}. ${lead}</p>
        ${form(`New ${noun}`, kind.operations.create, { aid, next: `${path}/*`, now: kind.initial, whole: kind.initial })}
        ${searchBox(plural, path, aid, search)}
        ${part(`${plural}-list`, html`${table(title, columns, page.rows, empty)} ${pager(page, path, aid, { search })}`)}`,
    };
  };
}

function screenOf<R extends StoreRow<object>>(kind: GroupKind<R>): (visit: PageRequest) => Screen | undefined {
  const { noun, path } = kind;
  return ({ service, id, query }) => {
    const group = kind.byId(service, id);
    if (!group) return undefined;
    const { aid } = group;
    const matching = kind.agents(service, group);
    const page = slice(matching, query, shownAgents);
    const tests = usersOf(kind, group, testsOf(service, aid));
    const now = membersFor(kind.operations.update, group.body);
    return {
      title: kind.name(group),
      section: path,
      aid,
      main: html`<p class="crumb"><a href="${href(path, aid)}">${titled(noun)}s</a></p>
        ${part(`${noun}-name`, html`<h1>${groupNamed(kind, group, userText(kind.name(group)))}</h1>`)}
        ${actions(button("Delete", kind.operations.delete, { aid, id, next: href(path, aid) }))}
        ${form("Change", kind.operations.update, { aid, id, next: href(`${path}/${encodeURIComponent(id)}`, aid), now, whole: now })}
        ${part(
          noun,
          html` ${facts([
              ["Id", html`<code>${id}</code>`],
              ["On", kind.on?.(group)],
              ["Rule", kind.rule(group)],
              ...kind.facts(group),
              ["Color", html`<code>${kind.color(group)}</code>`],
            ])}
            <h2>${counted(matching.length, "agent")} now</h2>
            ${agentTable(`Agents this ${noun} is on now`, page.rows, kind.whyNobody(group))}
            ${pager(page, `${path}/${encodeURIComponent(id)}`, aid)}
            <h2>${counted(tests.length, "test")} with it</h2>
            ${testTable(service, tests.slice(0, shownTests), "None.")}
            ${tests.length > shownTests && html`<p class="note">The first ${count(shownTests)} are shown.</p>`}`,
        )}`,
    };
  };
}

interface Rule {
  readonly matchType: string;
  readonly filters: readonly {
    readonly key: string;
    readonly mode?: string;
    readonly scope?: string;
    readonly values: readonly string[];
  }[];
}

function ruleOf({ matchType, filters }: Rule): Html {
  if (filters.length === 0) return html`<span class="quiet">no filter, so on no agent</span>`;
  const lines = filters.map(
    ({ key, mode, scope, values }, at) =>
      html`<li>
        ${at > 0 && html`<span class="word">${matchType}</span> `}${scope === "custom" ? html`<code><bdi>${key}</bdi></code>` : key}
        <span class="word">${mode === "not-in" ? "not in" : "in"}</span> <code><bdi>${values.join(", ")}</bdi></code>
      </li>`,
  );
  return html`<ul class="rule">
    ${lines}
  </ul>`;
}

function assignedTo(assignments: Tag["body"]["assignments"]): Html {
  const lines = assignments.slice(0, shownObjects).map(({ id, type }) => html`<li>${type} <code>${id}</code></li>`);
  return html`<ul class="rule">
    ${lines} ${assignments.length > shownObjects && html`<li>and ${count(assignments.length - shownObjects)} more</li>`}
  </ul>`;
}

function usersOf<R extends StoreRow<object>>({ namedBy }: GroupKind<R>, { id }: R, tests: readonly ShownTest[]): ShownTest[] {
  return tests.filter((test) => namedBy(test)?.includes(id));
}

function titled(noun: string): string {
  return noun.charAt(0).toUpperCase() + noun.slice(1);
}
