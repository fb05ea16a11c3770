import { count, counted } from "../../common/text";
import { agentLink } from "./links";
import { type Html, html } from "./html";
import { part } from "./parts";
import { requestList } from "./requests";
import { agentsOf, labelsOf, localAgent, tagsOf, testsOf, testsRunBy } from "./sources";
import { failingFirst, testTable } from "./test-table";
import { accountGroupName, href, type Screen, type PageRequest } from "./visit";

const testsShown = 8;
const requestsShown = 12;

export function overviewScreen(visit: PageRequest): Screen {
  const { service, server, aid } = visit;
  const agents = agentsOf(service, aid);
  const tests = testsOf(service, aid);
  const stats = [
    { name: "Agents", path: "/agents", n: agents.length },
    { name: "Labels", path: "/labels", n: labelsOf(service, aid).length },
    { name: "Tags", path: "/tags", n: tagsOf(service, aid).length },
    { name: "Tests", path: "/tests", n: tests.length },
    { name: "Requests", path: "/requests", n: server.log.total() },
  ];
  return {
    title: "Overview",
    section: "/",
    main: html`<h1>${accountGroupName(service, aid)}</h1>
      ${part(
        "overview",
        html`<ul class="stats">
            ${stats.map(
              ({ name, path, n }) => html`<li><strong>${count(n)}</strong><a href="${href(path, aid)}">${name}</a></li>`,
            )}
          </ul>
          ${
            server.program &&
            html`<section aria-labelledby="program">
              <h2 id="program">${server.program.title}</h2>
              <pre tabindex="0" aria-labelledby="program"><code>${server.program.text}</code></pre>
            </section>`
          }
          ${thisMachineNote(visit)}
          <section aria-labelledby="tests">
            <h2 id="tests">Tests</h2>
            ${testTable(service, failingFirst(service, tests.toReversed()).slice(0, testsShown), "None yet.")}
            ${tests.length > testsShown && html`<p><a href="${href("/tests", aid)}">All ${count(tests.length)} tests</a></p>`}
          </section>`,
      )}
      <section aria-labelledby="requests">
        <h2 id="requests">Latest requests</h2>
        ${requestList(visit, requestsShown)}
      </section>`,
  };
}

function thisMachineNote({ service, aid }: PageRequest): Html | undefined {
  const agent = localAgent(service);
  if (!agent || agent.body.deleted) return undefined;
  const elsewhere = agent.aid !== aid && html` of ${accountGroupName(service, agent.aid)}`;
  return html`<section aria-labelledby="machine">
    <h2 id="machine">This machine</h2>
    <p class="lead">
      ${agentLink(agent)} is the only agent that measures. It runs
      ${counted(testsRunBy(service, agent.id).length, "test")}${elsewhere}.
    </p>
  </section>`;
}
