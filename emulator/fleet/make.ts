import { date } from "../date";
import { type OrganizationGroup, organization } from "../organization";
import type { AgentClient, StoredAgent } from "../model/agents";
import { makeDevice } from "./devices";
import { makeSurroundings } from "./networks";
import { firstNames, lastNames, placesOfGroups } from "./places";
import { Random } from "./random";
import { thisMachine } from "./this-machine";

const newest = "1.212.0";
const day = 86_400_000;

export interface NewAgent {
  readonly id: string;
  readonly aid: string;
  readonly body: StoredAgent;
}

/** Id of this machine's agent, which is the same in every emulator. */
export const thisMachineId = new Random(0).uuid();

/**
 * Creates the agent with a given number. Every emulator creates the same agent for the same number.
 *
 * @param number number of the agent, which is 0 for the agent of this machine
 * @param now current time, because the dates in an agent's record depend on it
 */
export function makeAgent(number: number, groups: readonly OrganizationGroup[], now: number): NewAgent {
  const random = new Random(number);
  const id = random.uuid();
  if (number === 0) return { id, aid: groups[0]?.aid ?? "", body: localAgent(now) };
  // The function distributes the first agents evenly, so that even a few agents cover all account groups.
  const group =
    number < groups.length
      ? number
      : random.weighted([
          [50, 0],
          [30, 1],
          [20, 2],
        ]);
  const place = random.pick(placesOfGroups[group] ?? placesOfGroups[0]);
  const { device, tag, laptop, licenseType } = makeDevice(random);
  const atHome = laptop && random.chance(0.45);
  const computerName = `${place.code}-${tag}${String(number).padStart(5, "0")}`;
  const body: StoredAgent = {
    name: computerName,
    computerName,
    status: random.chance(0.06) ? "disabled" : "enabled",
    deleted: false,
    licenseType,
    agentType: random.weighted([
      [75, "endpoint"],
      [20, "endpoint-csc"],
      [5, "endpoint-pulse"],
    ]),
    version: random.weighted([
      [70, newest],
      [20, "1.210.2"],
      [10, "1.204.7"],
    ]),
    targetVersion: newest,
    createdAt: date(now - random.between(20, 900) * day),
    ...(random.chance(0.08) && { silentSince: date(now - random.between(2 * 3_600_000, 15 * day)) }),
    clients: Array.from(
      {
        length:
          laptop || device.platform === "windows"
            ? random.weighted([
                [85, 1],
                [15, 2],
              ])
            : 0,
      },
      () => makeClient(random),
    ),
    externalMetadata: [],
    ...device,
    ...makeSurroundings(random, {
      place,
      platform: device.platform,
      atHome,
      wired: atHome || laptop ? random.chance(0.2) : random.chance(0.9),
      group,
    }),
  };
  const anyConnect = { key: "anyConnectDeviceId", value: random.hex(40).toUpperCase() };
  return {
    id,
    aid: groups[group]?.aid ?? "",
    body: { ...body, externalMetadata: body.agentType === "endpoint-csc" ? [anyConnect] : [] },
  };
}

function localAgent(now: number): StoredAgent {
  const machine = thisMachine();
  return {
    name: machine.computerName,
    status: "enabled",
    deleted: false,
    licenseType: "advantage",
    agentType: "endpoint",
    version: newest,
    targetVersion: newest,
    createdAt: date(now),
    externalMetadata: [],
    ...machine,
  };
}

function makeClient(random: Random): AgentClient {
  const userName = `${random.pick(firstNames)}.${random.pick(lastNames)}`;
  const browser = random.weighted([
    [60, "chrome"],
    [40, "edge"],
  ]);
  const extension = { browser, profile: "Profile 1", version: newest, enabled: true, active: random.chance(0.9), error: "" };
  const domain = `${organization.organizationName.split(" ")[0]?.toLowerCase()}.com`;
  return {
    userProfile: { userName, userPrincipalName: `${userName}@${domain}` },
    browserExtensions: random.chance(0.6) ? [extension] : [],
  };
}
