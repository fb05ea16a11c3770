import { count } from "../../common/text";
import { interval, milliseconds, userText } from "./format";
import { type Content, type Html, html } from "./html";
import { badge, table } from "./parts";
import { sparkline } from "./plot";
import { agentsAssigned, agentsCarryingOut, latestRounds, type ShownTest } from "./sources";
import { hasFailed, pointsOf } from "./rounds";
import type { Service } from "../service";
import { href } from "./visit";

const plotted = 40;

export function testTable(service: Service, tests: readonly ShownTest[], empty: Content): Html {
  return table(
    "Tests",
    [
      { name: "Test", cell: (test: ShownTest) => html`${testLink(test)}<span class="under">${test.kind}</span>` },
      {
        name: "Target",
        plain: true,
        cell: (test) => html`<bdi>${test.target}</bdi><span class="under">${rhythm(test)}</span>`,
      },
      { name: "State", plain: true, cell: stateOf },
      { name: "Agents", number: true, cell: (test) => agentCounts(service, test) },
      { name: "Last rounds", plain: true, cell: (test) => lastRounds(service, test) },
    ],
    tests,
    empty,
  );
}

export function testLink({ id, aid, body }: ShownTest): Html {
  return html`<a href="${href(`/tests/${encodeURIComponent(id)}`, aid)}">${userText(body.testName)}</a>`;
}

export function stateOf({ body, instant }: ShownTest): Html {
  if (instant) return badge("accent", "instant");
  return body.isEnabled ? badge("good", "enabled") : badge("quiet", "disabled");
}

export function rhythm({ body, instant }: ShownTest): string {
  return instant ? "on demand" : `every ${interval(body.interval)}`;
}

function agentCounts(service: Service, test: ShownTest): Html {
  const running = agentsCarryingOut(service, test).length;
  const assigned = agentsAssigned(service, test).length;
  return html`${count(running)}${running !== assigned && html`<span class="under">of ${count(assigned)}</span>`}`;
}

function lastRounds(service: Service, { id, idle }: ShownTest): Html {
  const points = pointsOf(latestRounds(service, id, plotted));
  const last = points.at(-1);
  const reason = idle();
  if (!last)
    return html`<span class="quiet small"
      >${reason === undefined ? "The first round is under way." : html`No rounds. ${reason}`}</span
    >`;
  return html`${sparkline(points, "Last rounds")}<span class="value"
      >${last.value === undefined ? badge("bad", "failed") : milliseconds(last.value)}</span
    >${reason !== undefined && html`<span class="under">No more rounds. ${reason}</span>`}`;
}

/** Returns the tests with a failed last round, followed by all other tests. */
export function failingFirst(service: Service, tests: readonly ShownTest[]): ShownTest[] {
  const failing = new Set(tests.filter(({ id }) => latestRounds(service, id, 1).some(hasFailed)));
  return [...failing, ...tests.filter((test) => !failing.has(test))];
}
