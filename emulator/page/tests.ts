import { count, counted } from "../../common/text";
import { allOperations, type Operation, operations } from "../../api/schemas";
import { scheduledKinds, testKinds } from "../model/test-kinds";
import { actions, button, type Choice, form } from "./edit";
import { moment, userText } from "./format";
import { agentTable } from "./agents";
import { definition, selection } from "./definition";
import { type Content, type Html, html } from "./html";
import { agentLink } from "./links";
import { facts, fold, pager, part, searchBox, slice } from "./parts";
import { hasFailed, outcome, reasonOf, roundsSection } from "./rounds";
import {
  type FleetAgent,
  agentById,
  agentsAssigned,
  agentsCarryingOut,
  kindName,
  labelsOf,
  latestRounds,
  localAgent,
  tagsOf,
  type ShownTest,
  testById,
  testsOf,
} from "./sources";
import { failingFirst, rhythm, stateOf, testTable } from "./test-table";
import { href, type Screen, type PageRequest } from "./visit";

const path = "/tests";
const pageSize = 25;
const agentsShown = 25;
const agentsNamed = 3;
const plotted = 200;

export function testsScreen({ service, aid, query }: PageRequest): Screen {
  const search = query.get("search") ?? "";
  const wanted = search.toLowerCase();
  const tests = testsOf(service, aid);
  const matching = tests.filter(
    ({ body, target }) => body.testName.toLowerCase().includes(wanted) || target.toLowerCase().includes(wanted),
  );
  const page = slice(failingFirst(service, matching), query, pageSize);
  const empty = search === "" ? "No tests in this account group." : "No test has this text in its name or target.";
  return {
    title: "Tests",
    section: path,
    main: html`<h1>Tests</h1>
      ${testKinds.map((kind) => newTest(`New ${kindName(kind)} test`, operationOf("POST", kind.path), service, aid))}
      ${searchBox("tests", path, aid, search)}
      ${part(
        "tests-list",
        html`<p class="lead">
            ${counted(tests.length, "test")}, failing ones first. Only this machine measures, and only loopback and allowed
            targets.
          </p>
          ${testTable(service, page.rows, empty)} ${pager(page, path, aid, { search })}`,
      )}`,
  };
}

function operationOf(method: string, operationPath: string): Operation {
  const match = allOperations().find((operation) => operation.method === method && operation.path === operationPath);
  if (!match) throw new Error(`No operation is ${method} ${operationPath}`);
  return match;
}

function newTest(title: string, operation: Operation, service: PageRequest["service"], aid: string): Html {
  const choices = {
    endpointAgentLabels: labelsOf(service, aid).map(({ id, body }): Choice => [id, body.name]),
    tagIds: tagsOf(service, aid).map(({ id, body }): Choice => [id, `${body.key}: ${body.value}`]),
  };
  return form(title, operation, { aid, next: `${path}/*`, choices });
}

/** Instant tests can run again, but cannot be changed. */
function changesOf({ id, aid, body, instant, path: kindPath }: ShownTest): Html {
  const recordPath = `${kindPath}/{testId}`;
  return actions(
    scheduledKinds.some((kind) => kind.path === kindPath) && button("Run now", operations.instantTests.run, { aid, id }),
    !instant &&
      button(
        body.isEnabled ? "Disable" : "Enable",
        operationOf("PATCH", recordPath),
        { aid, id },
        { isEnabled: !body.isEnabled },
      ),
    !instant && button("Delete", operationOf("DELETE", recordPath), { aid, id, next: href(path, aid) }),
  );
}

export function testScreen({ service, id, query }: PageRequest): Screen | undefined {
  const test = testById(service, id);
  if (!test) return undefined;
  const { aid, body, kind, target } = test;
  const now = service.settings.now();
  const assigned = agentsAssigned(service, test);
  const page = slice(assigned, query, agentsShown);
  return {
    title: body.testName,
    section: path,
    aid,
    main: html`<p class="crumb"><a href="${href(path, aid)}">Tests</a></p>
      <h1>${userText(body.testName)}</h1>
      ${!test.instant && form("Change", operationOf("PATCH", `${test.path}/{testId}`), { aid, id, next: href(`${path}/${encodeURIComponent(id)}`, aid), now: body })}
      ${part(
        "test-state",
        html`<p class="lead">
            ${stateOf(test)} ${kind} test of <bdi>${target}</bdi> ${rhythm(test)}${body.isPrioritized && ", with priority"}.
          </p>
          ${changesOf(test)} ${reachOf(test, service)}`,
      )}
      ${fold(
        "Rounds",
        part(
          "test-rounds",
          roundsSection(latestRounds(service, id, plotted), now, (agentId) => agentById(service, agentId)),
        ),
      )}
      <h2>Definition</h2>
      ${part("test-definition", definition(test, now))}
      <h2>Agents assigned</h2>
      ${part(
        "test-agents",
        html`${agentTable("Agents the test is assigned to", page.rows, "Its selection chooses no agent that is enabled.", localAgent(service)?.id)}
        ${pager(page, `${path}/${encodeURIComponent(id)}`, aid)}`,
      )}`,
  };
}

function reachOf(test: ShownTest, service: PageRequest["service"]): Html {
  const assigned = agentsAssigned(service, test).length;
  const running = agentsCarryingOut(service, test);
  const idle = test.idle();
  const [last] = latestRounds(service, test.id, 1);
  const now = service.settings.now();
  return html`${idle !== undefined && html`<p class="why"><strong>Not measured.</strong> ${idle}</p>`}
  ${last && hasFailed(last) && html`<p class="why"><strong>The last round failed.</strong> ${reasonOf(last)}</p>`}
  ${facts([
    ["Agents", selection(test, service)],
    ["Assigned to", counted(assigned, "agent")],
    ["Runs on", someOf(running)],
    ["This machine", idle === undefined ? "measures it" : "does not measure it"],
    ["Last round", last && html`${moment(last.startedAt, now)} ${outcome(last)}`],
  ])}`;
}

function someOf(agents: readonly FleetAgent[]): Content {
  const named = agents.slice(0, agentsNamed).map((agent, at) => html`${at > 0 && ", "}${agentLink(agent)}`);
  const more = agents.length - named.length;
  return agents.length === 0 ? "no agent" : html`${named}${more > 0 && ` and ${count(more)} more`}`;
}
