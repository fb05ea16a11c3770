import { count, counted, moment, userText } from "./format";
import { agentTable } from "./agents";
import { type Html, html } from "./html";
import { agentLink, labelLink } from "./links";
import { facts, pager, searchBox, slice } from "./parts";
import { roundsSection } from "./rounds";
import {
  agentById,
  agentsAssigned,
  agentsCarryingOut,
  labelById,
  latestRounds,
  localAgent,
  type Test,
  testById,
  testsOf,
} from "./sources";
import { rhythm, stateOf, testTable } from "./test-table";
import { href, type Screen, type Visit } from "./visit";

const path = "/tests";
const pageSize = 25;
const agentsShown = 25;
/** Rounds in a large plot. */
const plotted = 200;

export function testsScreen({ service, aid, query }: Visit): Screen {
  const search = query.get("search") ?? "";
  const wanted = search.toLowerCase();
  const all = testsOf(service, aid);
  const found = all.filter(
    ({ body, target }) => body.testName.toLowerCase().includes(wanted) || target.toLowerCase().includes(wanted),
  );
  const page = slice(found, query, pageSize);
  return {
    title: "Tests",
    section: path,
    main: html`<h1>Tests</h1>
      <p class="lead">
        ${counted(all.length, "test")}. This machine carries out what is assigned to it, against loopback and allowed targets;
        nothing else has rounds.
      </p>
      ${searchBox("tests", path, aid, search)}
      ${testTable(service, page.rows, search === "" ? "No tests in this account group." : "No test has this in its name or target.")}
      ${pager(page, path, aid, search)}`,
  };
}

export function testScreen({ service, id, query }: Visit): Screen | undefined {
  const test = testById(service, id);
  if (!test) return undefined;
  const { aid, body, kind, target } = test;
  const now = service.settings.now();
  const assigned = agentsAssigned(service, test);
  const running = agentsCarryingOut(service, test).length;
  const page = slice(assigned, query, agentsShown);
  const idle = body.isEnabled ? "The others have more tests than their licenses run at once." : "The test is off.";
  return {
    title: body.testName,
    section: path,
    aid,
    main: html`<p class="crumb"><a href="${href(path, aid)}">Tests</a></p>
      <h1>${userText(body.testName)}</h1>
      <p class="lead">
        ${stateOf(test)} ${kind} test of <bdi>${target}</bdi> ${rhythm(test)}${body.isPrioritized && ", with priority"}.
      </p>
      <h2>Rounds</h2>
      ${roundsSection(latestRounds(service, id, plotted), now, (agentId) => agentById(service, agentId))}
      <h2>${counted(assigned.length, "agent")} assigned</h2>
      ${running < assigned.length && html`<p class="lead">${count(running)} of them run it. ${idle}</p>`}
      ${agentTable("Agents the test is assigned to", page.rows, "Its selection chooses no agent that is enabled.", localAgent(service)?.id)}
      ${pager(page, `${path}/${encodeURIComponent(id)}`, aid)}
      <h2>Definition</h2>
      ${definition(test, service, now)}`,
  };
}

function definition({ id, body }: Test, service: Visit["service"], now: number): Html {
  return facts([
    ["Id", html`<code>${id}</code>`],
    ["Agent selection", html`${body.agentSelectorType}${chosen(body, service)}`],
    ["Agents at most", count(body.maxMachines)],
    ["Protocol", body.protocol],
    ["IP version", body.ipVersion],
    ["TCP probe mode", body.tcpProbeMode],
    ["Network measurements", body.networkMeasurements ? "yes" : "no"],
    ["Created", moment(body.createdDate, now)],
    ["Changed", moment(body.modifiedDate, now)],
  ]);
}

/** What the selection names, as links where it is still there. */
function chosen({ endpointAgentLabels = [], agents = [], tagIds = [] }: Test["body"], service: Visit["service"]): Html {
  const names = [
    ...endpointAgentLabels.map((id) => linked(id, labelById(service, id), labelLink)),
    ...agents.map((id) => linked(id, agentById(service, id), agentLink)),
    ...tagIds.map((id) => html`<code>${id}</code>`),
  ];
  return html`<ul class="rule">
    ${names.map((name) => html`<li>${name}</li>`)}
  </ul>`;
}

function linked<T>(id: string, found: T | undefined, link: (found: T) => Html): Html {
  return found === undefined ? html`<code>${id}</code> <span class="quiet">(does not exist)</span>` : link(found);
}
