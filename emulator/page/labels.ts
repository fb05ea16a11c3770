import { count, counted, userText } from "./format";
import { type Html, html } from "./html";
import { agentTable } from "./agents";
import { labelLink, labelNamed, labelsPath as path } from "./links";
import { facts, pager, part, searchBox, slice, table } from "./parts";
import { agentsOfLabel, type Label, labelById, labelsOf, type Test, testsOf } from "./sources";
import { testTable } from "./test-table";
import { href, type Screen, type Visit } from "./visit";

/** Each row asks which agents match: fewer to a page than of other lists. */
const pageSize = 25;
const shownAgents = 50;
const shownTests = 50;

export function labelsScreen(visit: Visit): Screen {
  const { service, aid, query } = visit;
  const search = query.get("search") ?? "";
  const all = labelsOf(service, aid);
  const wanted = search.toLowerCase();
  const found = all.filter(({ body }) => body.name.toLowerCase().includes(wanted));
  const page = slice(found, query, pageSize);
  const tests = testsOf(service, aid);
  const columns = [
    { name: "Label", cell: labelLink },
    { name: "Rule", plain: true, cell: ruleOf },
    { name: "Agents now", number: true, cell: (label: Label) => count(agentsOfLabel(service, label).length) },
    { name: "Tests", number: true, cell: (label: Label) => count(usersOf(label, tests).length) },
  ];
  const empty = search === "" ? "No labels in this account group." : "No label has this in its name.";
  return {
    title: "Labels",
    section: path,
    main: html`<h1>Labels</h1>
      <p class="lead">${counted(all.length, "label")}. Which agents a label is on follows from its rule, at every look.</p>
      ${searchBox("labels", path, aid, search)}
      ${part("labels-list", html`${table("Labels", columns, page.rows, empty)} ${pager(page, path, aid, { search })}`)}`,
  };
}

export function labelScreen({ service, id, query }: Visit): Screen | undefined {
  const label = labelById(service, id);
  if (!label) return undefined;
  const { aid, body } = label;
  const matching = agentsOfLabel(service, label);
  const page = slice(matching, query, shownAgents);
  const tests = usersOf(label, testsOf(service, aid));
  return {
    title: body.name,
    section: path,
    aid,
    main: html`<p class="crumb"><a href="${href(path, aid)}">Labels</a></p>
      ${part(
        "label",
        html`<h1>${labelNamed(label, userText(body.name))}</h1>
          ${facts([
            ["Id", html`<code>${id}</code>`],
            ["Rule", ruleOf(label)],
            ["Colour", html`<code>${body.color}</code>`],
          ])}
          <h2>${counted(matching.length, "agent")} now</h2>
          ${agentTable("Agents this label is on now", page.rows, "No agent has what the rule asks for.")}
          ${pager(page, `${path}/${encodeURIComponent(id)}`, aid)}
          <h2>${counted(tests.length, "test")} with it</h2>
          ${testTable(service, tests.slice(0, shownTests), "None.")}
          ${tests.length > shownTests && html`<p class="note">The first ${count(shownTests)} are shown.</p>`}`,
      )}`,
  };
}

function ruleOf({ body: { matchType, filters } }: Label): Html {
  if (filters.length === 0) return html`<span class="quiet">no filter: on no agent</span>`;
  const lines = filters.map(
    ({ key, mode, values }, at) =>
      html`<li>
        ${at > 0 && html`<span class="word">${matchType}</span> `}${key}
        <span class="word">${mode === "not-in" ? "not in" : "in"}</span> <code><bdi>${values.join(", ")}</bdi></code>
      </li>`,
  );
  return html`<ul class="rule">
    ${lines}
  </ul>`;
}

function usersOf({ id }: Label, tests: readonly Test[]): Test[] {
  return tests.filter(({ body }) => body.endpointAgentLabels?.includes(id));
}
