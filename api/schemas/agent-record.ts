import { z } from "zod";
import { identifier, selfLinks } from "./common";
import { batteryMetrics, cellularProfile, userProfile, vpnProfile } from "./device";

const addressProfile = z.looseObject({
  /** Scope of the address, such as `unique-local`. */
  addressType: z.string().optional(),
  ipAddress: z.string().optional(),
  prefixLength: z.number().optional(),
  gateway: z.string().optional(),
  /** MAC address of the router. */
  routerHardwareAddress: z.string().optional(),
});

/** A network interface of the device; which profile it has depends on `hardwareType`. */
const interfaceProfile = z.looseObject({
  interfaceName: z.string().optional(),
  addressProfiles: z.array(addressProfile).optional(),
  hardwareType: z.string().optional(),
  /** `linkSpeed` in Mbps. */
  ethernetProfile: z.looseObject({ linkSpeed: z.number().optional() }).optional(),
  wirelessProfile: z
    .looseObject({
      bssid: z.string().optional(),
      ssid: z.string().optional(),
      rssi: z.number().optional(),
      channel: z.number().optional(),
      phyMode: z.string().optional(),
    })
    .optional(),
});

const browserExtension = z.looseObject({
  browser: z.string().optional(),
  profile: z.string().optional(),
  version: z.string().optional(),
  enabled: z.boolean().optional(),
  /** Whether the extension talks to the service. */
  active: z.boolean().optional(),
  /** What went wrong while the state of the extension was read. */
  error: z.string().optional(),
});

/** A user account on the device. */
const client = z.looseObject({
  userProfile: userProfile.optional(),
  browserExtensions: z.array(browserExtension).optional(),
});

/** An agent as answered. Only `name` and `licenseType` can be changed by PATCH. */
export const agent = z.looseObject({
  id: identifier,
  /** Account group it belongs to now; another one once a transfer has finished. Its type is not stated. */
  aid: z.union([z.string(), z.number().transform(String)]).optional(),
  name: z.string().optional(),
  /** Host name of the device. */
  computerName: z.string().optional(),
  /** Free storage as a share from 0 to 1. */
  freeDiskSpaceNormalized: z.number().optional(),
  osVersion: z.string().optional(),
  platform: z.string().optional(),
  kernelVersion: z.string().optional(),
  manufacturer: z.string().optional(),
  model: z.string().optional(),
  nicDriverVersion: z.string().optional(),
  nicModel: z.string().optional(),
  serialNumber: z.string().optional(),
  /** Time of the last check-in. Like `publicIP`, `location`, `version` and `numberOfClients` it changes by itself. */
  lastSeen: z.string().optional(),
  /** `enabled` or `disabled`; a disabled agent reports no data. */
  status: z.string().optional(),
  /** True of a deleted agent, which only `includeDeleted=true` shows. */
  deleted: z.boolean().optional(),
  version: z.string().optional(),
  /** Newest version on offer; only with an `expand` value that the interface document does not list. */
  targetVersion: z.string().optional(),
  createdAt: z.string().optional(),
  /** User accounts on the device that the agent serves. */
  numberOfClients: z.number().optional(),
  publicIP: z.string().optional(),
  location: z
    .looseObject({
      latitude: z.number().optional(),
      longitude: z.number().optional(),
      locationName: z.string().optional(),
    })
    .optional(),
  /** Only with `expand=clients`. */
  clients: z.array(client).optional(),
  /** Text, such as `16384 MB`. */
  totalMemory: z.string().optional(),
  /** Kind of agent software: `endpoint`, `endpoint-pulse`, `endpoint-csc`. */
  agentType: z.string().optional(),
  /** Only with `expand=vpnProfiles`. */
  vpnProfiles: z.array(vpnProfile.extend({ interfaceName: z.string().optional() })).optional(),
  /** Key and value pairs from outside systems, such as `anyConnectDeviceId`; shown like `targetVersion`. */
  externalMetadata: z.array(z.looseObject({ key: z.string().optional(), value: z.string().optional() })).optional(),
  /** What the agent can't collect now; empty where there is nothing. */
  agentExplainabilityFailures: z.array(z.looseObject({ reasonCode: z.string().optional() })).optional(),
  /** Key and value pairs of the deployment. */
  deploymentInfo: z.array(z.looseObject({ key: z.string().optional(), value: z.string().optional() })).optional(),
  /** Only with `expand=networkInterfaceProfiles`. */
  networkInterfaceProfiles: z.array(interfaceProfile).optional(),
  /** Autonomous system of the public address. */
  asnDetails: z.looseObject({ asNumber: z.number().optional(), asName: z.string().optional() }).optional(),
  licenseType: z.string().optional(),
  /** Whether the agent can run TCP tests. */
  tcpDriverAvailable: z.boolean().optional(),
  /** Packet driver of a Windows agent. */
  npcapVersion: z.string().optional(),
  batteryMetrics: batteryMetrics.optional(),
  cellularProfile: cellularProfile.optional(),
  _links: selfLinks.optional(),
});
export type AgentRecord = z.output<typeof agent>;
