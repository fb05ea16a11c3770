import { count, counted } from "../../common/text";
import { operations } from "../../api/schemas";
import { actions, button, form } from "./edit";
import { moment, userText } from "./format";
import { type Content, type Html, html } from "./html";
import { agentLink, agentsPath as path, groupLink, labelLinks, tagLinks } from "./links";
import { badge, facts, pager, part, searchBox, slice, table } from "./parts";
import {
  type FleetAgent,
  agentById,
  agentsOf,
  agentsOfLabel,
  agentsOfTag,
  isAssigned,
  labelsOf,
  lastSeen,
  localAgent,
  tagsOf,
  testsOf,
  testsRunBy,
} from "./sources";
import { testTable } from "./test-table";
import { accountGroupName, accountGroupsOf, href, type Screen, type PageRequest } from "./visit";

const pageSize = 50;

export function agentsScreen({ service, aid, query }: PageRequest): Screen {
  const search = query.get("search") ?? "";
  const agents = agentsOf(service, aid);
  const wanted = search.trim().toLowerCase();
  const matching = wanted === "" ? agents : agents.filter((agent) => mentions(agent, wanted));
  const page = slice(matching, query, pageSize);
  const empty =
    search === ""
      ? "No agents in this account group."
      : "No agent has this text in its name, host, user, address, network or place.";
  return {
    title: "Agents",
    section: path,
    main: html`<h1>Agents</h1>
      <p class="lead">
        ${search === "" ? counted(agents.length, "agent") : html`${count(matching.length)} of ${counted(agents.length, "agent")} with “${userText(search)}”`}.
        Only this machine is real and measures. The other agents are simulated.
      </p>
      ${searchBox("agents", path, aid, search)}
      ${part("agents-list", html`${agentTable("Agents", page.rows, empty, localAgent(service)?.id)} ${pager(page, path, aid, { search })}`)}`,
  };
}

export function agentTable(caption: string, agents: readonly FleetAgent[], empty: Content, here?: string): Html {
  return table(
    caption,
    [
      { name: "Agent", cell: (agent: FleetAgent) => agentCell(agent, agent.id === here) },
      { name: "Status", plain: true, cell: stateOf },
      {
        name: "System",
        plain: true,
        cell: ({ body }) => html`${body.platform}<span class="under wide">${body.osVersion}</span>`,
      },
      { name: "Network", plain: true, cell: networkOf },
      { name: "User", wide: true, cell: ({ body }) => usersOf(body) },
      { name: "Place", plain: true, cell: ({ body }) => body.location.locationName },
      { name: "License", wide: true, cell: ({ body }) => body.licenseType },
    ],
    agents,
    empty,
  );
}

export function agentScreen({ service, id, query }: PageRequest): Screen | undefined {
  const agent = agentById(service, id);
  if (!agent) return undefined;
  const { aid, body } = agent;
  const labels = labelsOf(service, aid).filter((label) => agentsOfLabel(service, label).includes(agent));
  const tags = tagsOf(service, aid).filter((tag) => agentsOfTag(service, tag).includes(agent));
  const assigned = testsOf(service, aid).filter((test) => isAssigned(service, test, agent));
  const running = new Set(testsRunBy(service, id).map((test) => test.id));
  const waiting = assigned.length - assigned.filter((test) => running.has(test.id)).length;
  const page = slice(assigned, query, pageSize);
  const here = localAgent(service)?.id === id;
  return {
    title: body.name,
    section: path,
    aid,
    main: html`<p class="crumb"><a href="${href(path, aid)}">Agents</a></p>
      <h1>${userText(body.name)}</h1>
      ${form("Change", operations.agents.update, { aid, id, next: href(`${path}/${encodeURIComponent(id)}`, aid), now: body })}
      ${form("Transfer", operations.agents.transfer, {
        aid,
        id,
        choices: { toAid: accountGroupsOf(service).map((group) => [group.aid, group.accountGroupName]) },
      })}
      <p class="lead">
        ${here ? html`${badge("accent", "this machine")} Its tests are real measurements.` : "A simulated agent, which measures nothing."}
      </p>
      ${part(
        "agent",
        html`<p>${stateOf(agent)} in ${accountGroupName(service, aid)}</p>
          ${changesOf(agent, service.settings.now())} ${agentFacts(agent, lastSeen(service, agent), service.settings.now())}
          <h2>Current labels</h2>
          ${linksTo(labels.map((label) => groupLink(labelLinks, label)))}
          <h2>Current tags</h2>
          ${linksTo(tags.map((tag) => groupLink(tagLinks, tag)))}
          <h2>${counted(assigned.length, "assigned test")}</h2>
          ${waiting > 0 && html`<p class="lead">The agent runs ${counted(assigned.length - waiting, "test")} now. The other tests are disabled, or exceed the agent's license.</p>`}
          ${testTable(service, page.rows, "None.")} ${pager(page, `${path}/${encodeURIComponent(id)}`, aid)}`,
      )}`,
  };
}

const hourMs = 3_600_000;

/** The button "Put to sleep" sets an agent's last check-in to two hours ago, so that the agent loses its labels. */
function changesOf({ id, aid, body: { status, silentSince } }: FleetAgent, now: number): Html {
  const record = { method: "PATCH", path: "/_emulator/records/agents/{id}" } as const;
  const hoursAgo = new Date(Math.floor(now / hourMs) * hourMs - 2 * hourMs).toISOString();
  return actions(
    status === "enabled"
      ? button("Disable", operations.agents.disable, { aid, id })
      : button("Enable", operations.agents.enable, { aid, id }),
    silentSince === undefined
      ? button("Put to sleep", record, { aid, id }, { silentSince: hoursAgo })
      : button("Wake up", record, { aid, id }, { silentSince: null }),
    button("Delete", operations.agents.delete, { aid, id, next: href(path, aid) }),
  );
}

function linksTo(links: readonly Html[]): Html {
  if (links.length === 0) return html`<p class="empty">None.</p>`;
  return html`<ul class="rule">
    ${links.map((link) => html`<li>${link}</li>`)}
  </ul>`;
}

function agentFacts({ id, body }: FleetAgent, seen: string, now: number): Html {
  return facts([
    ["Id", html`<code>${id}</code>`],
    ["Host name", body.computerName],
    ["System", html`${body.platform}, ${body.osVersion}`],
    ["Users", usersOf(body)],
    ["Place", body.location.locationName],
    ["Public address", body.publicIP],
    ["License", body.licenseType],
    ["Last seen", moment(seen, now)],
    ["Networks", interfacesOf(body)],
  ]);
}

function agentCell(agent: FleetAgent, here: boolean): Html {
  const { name, computerName } = agent.body;
  const mark = here && html` ${badge("accent", "this machine")}`;
  return html`${agentLink(agent)}${mark}${name !== computerName && html`<span class="under">${computerName}</span>`}`;
}

function stateOf({ body: { deleted, status, silentSince } }: FleetAgent): Html {
  if (deleted) return badge("bad", "deleted");
  return html`${badge(status === "enabled" ? "good" : "quiet", status)}${silentSince !== undefined && html` ${badge("quiet", "asleep")}`}`;
}

function usersOf({ clients }: FleetAgent["body"]): string {
  return clients.map(({ userProfile }) => userProfile.userName).join(", ");
}

function networkOf({ body: { networkInterfaceProfiles, publicIP } }: FleetAgent): Html {
  const network = networkInterfaceProfiles.find(({ wirelessProfile }) => wirelessProfile)?.wirelessProfile?.ssid;
  return html`${network === undefined ? "wired" : userText(network)}<span class="under wide">${publicIP}</span>`;
}

function interfacesOf({ networkInterfaceProfiles }: FleetAgent["body"]): Html {
  return html`<ul class="rule">
    ${networkInterfaceProfiles.map(({ interfaceName, addressProfiles, wirelessProfile }) => {
      const addresses = addressProfiles.map(({ ipAddress }) => ipAddress).join(", ");
      return html`<li>
        ${interfaceName}
        ${addresses}${wirelessProfile && html` <span class="quiet">on ${userText(wirelessProfile.ssid)}</span>`}
      </li>`;
    })}
  </ul>`;
}

function mentions({ id, body }: FleetAgent, wanted: string): boolean {
  const has = (text: string | undefined) => text?.toLowerCase().includes(wanted) === true;
  const texts = [body.name, body.computerName, id, body.platform, body.publicIP, body.location.locationName, usersOf(body)];
  return (
    texts.some(has) ||
    body.networkInterfaceProfiles.some(
      ({ addressProfiles, wirelessProfile }) =>
        has(wirelessProfile?.ssid) || addressProfiles.some(({ ipAddress }) => has(ipAddress)),
    )
  );
}
