import { useEmulator } from "../../support/emulator";
import { eventually } from "../loopback";
import { flat, type Json, look, paths } from "../support";

const emulator = useEmulator();
const large = useEmulator({ agents: 6000 });
const hosts = { matchType: "or", filters: [{ key: "hostname", values: ["*"] }] } as const;
let agent: Json;
let page: string;
beforeEach(async () => {
  emulator.reset();
  const { records } = await emulator.call("GET", "/_emulator/records/agents?aid=1001");
  agent = await emulator.call("GET", `/_emulator/records/agents/${records.findLast(({ aid }: Json) => aid === "1001").id}`);
  page = `/agents/${agent.id}`;
});

const text = async (path: string) => (await look(emulator.url, path)).text();
const rowsOf = (markup: string): string[] => markup.split("</tr>").slice(1, -1).map(flat);

/** Changes the agent's record outside of the service. */
const change = (body: object) => emulator.call("PATCH", `/_emulator/records/agents/${agent.id}`, body);

test("the list of agents divides a large fleet into pages", async () => {
  const markup = async (path: string) => (await look(large.url, path)).text();
  const first = await markup("/agents");
  expect(rowsOf(first).map((row) => row.includes("this machine"))).toEqual(Array.from({ length: 50 }, (_, at) => at === 0));
  const [, pages = ""] = /Page 1 of ([\d,]+)/.exec(first) ?? [];
  expect(Number(pages)).toBeGreaterThan(50);
  expect(await markup(`/agents?page=${pages}`)).toContain(`Page ${pages} of ${pages}`);
});

test("a user can search agents by name, host, id, system, address, place, user and network", async () => {
  await change({
    name: "zz-name",
    computerName: "zz-host",
    platform: "zz-system",
    publicIP: "zz-public",
    location: { locationName: "zz-place" },
    clients: [{ userProfile: { userName: "zz-user" }, browserExtensions: [] }],
    networkInterfaceProfiles: [
      { interfaceName: "zz-wired", addressProfiles: [{ ipAddress: "zz-address" }] },
      { interfaceName: "zz-card", addressProfiles: [], wirelessProfile: { ssid: "zz-network" } },
    ],
  });
  const row = " zz-name zz-host enabled zz-system ";
  for (const word of ["name", "host", "system", "public", "place", "user", "address", "network", "", "NAME%20"]) {
    const markup = await text(`/agents?search=%20zz-${word}`);
    expect([word, rowsOf(markup)]).toEqual([word, [expect.stringContaining(row)]]);
    expect(flat(markup)).toMatch(/ 1 of [\d,]+ agents with “ zz-[^”]*”\./i);
  }
  expect(rowsOf(await text(`/agents?search=${agent.id}`))).toHaveLength(1);
  expect(await text("/agents?search=zz-wired")).toContain("No agent has this text in its name");
});

test("an agent's page shows the agent's properties, labels, tags and tests", async () => {
  const label = await emulator.create(paths.label, { ...hosts, name: "All hosts" });
  const test = { testName: "A", application: "zoom", agentSelectorType: "agent-labels", endpointAgentLabels: [label] };
  for (let n = 0; n < 6; n += 1) await emulator.create(paths.dynamic, test);
  const wireless = {
    interfaceName: "Wi-Fi",
    addressProfiles: [{ ipAddress: "10.1.2.3" }, { ipAddress: "fd00::1" }],
    wirelessProfile: { ssid: "Guest" },
  };
  await change({ licenseType: "essentials", networkInterfaceProfiles: [wireless] });
  const shown = flat(await text(page));
  expect(shown).toContain("6 assigned tests The agent runs 4 tests now.");
  expect(shown).toMatch(/A simulated agent.* Wi-Fi 10\.1\.2\.3, fd00::1 on Guest Current labels All hosts Current tags None\./);
});

/** Sends the request of a button on the agent's page, as the page's script does. Returns the text of the page after the request. */
async function press(name: string): Promise<string> {
  const button = new RegExp(`<button type="button" class="edit" data-send="(\\w+) ([^"]*)"([^>]*)>\\s*${name}\\s*<`);
  const [, method = "", path = "", more = ""] = button.exec(await text(page)) ?? [];
  const whole = /data-whole="([^"]*)"/.exec(more)?.[1]?.replaceAll("&quot;", '"');
  await emulator.call(method, path, whole && JSON.parse(whole));
  return flat(await text(page));
}

test("the buttons on an agent's page suspend, wake, disable, enable and delete the agent", async () => {
  await emulator.create(paths.label, { ...hosts, name: "All hosts" });
  await change({ status: "enabled", silentSince: null });
  const asleep = await press("Put to sleep");
  expect([asleep.includes(" enabled asleep in Headquarters "), asleep.includes("All hosts")]).toEqual([true, false]);
  const awake = await press("Wake up");
  expect([awake.includes(" enabled in Headquarters "), awake.includes("All hosts")]).toEqual([true, true]);
  expect(await press("Disable")).toContain(" disabled in Headquarters ");
  expect(await press("Enable")).toContain(" enabled in Headquarters ");
  expect(await press("Delete")).toContain(" deleted in Headquarters ");
  expect(await text("/agents")).not.toContain(agent.id);
});

test("the forms on an agent's page rename the agent, and transfer it to another account group", async () => {
  const forms = await text(page);
  for (const request of [`PATCH /v7/endpoint${page}?aid=1001`, `POST /v7/endpoint${page}/transfer?aid=1001`])
    expect(forms).toContain(`<form class="filter" data-send="${request}"`);
  expect(forms).toContain('<option value="1002" >Branch offices</option>');
  await emulator.call("PATCH", `/v7/endpoint${page}?aid=1001`, { name: "Renamed" });
  expect(await text(page)).toContain("<h1><bdi>Renamed</bdi></h1>");
  await emulator.call("POST", `/v7/endpoint${page}/transfer?aid=1001`, { toAid: "1002" });
  const moved = await eventually(async () => {
    const markup = await text(page);
    return flat(markup).includes(" in Branch offices ") ? markup : undefined;
  });
  expect(moved).toContain('data-next="/agents?aid=1002"');
});
