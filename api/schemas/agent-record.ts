import { z } from "zod";
import { identifier, selfLinks } from "./common";
import { asnDetails, batteryMetrics, cellularProfile, ethernetProfile, userProfile, vpnProfile } from "./device";

const addressProfile = z.looseObject({
  /** Scope of the address: `loopback`, `unspecified`, `unique-local`, `link-local` or `unique-global`. */
  addressType: z.string().optional(),
  /** IP address of the interface. */
  ipAddress: z.string().optional(),
  /** Length of the address prefix, in bits. */
  prefixLength: z.number().optional(),
  /** Address of the default gateway. */
  gateway: z.string().optional(),
  /** MAC address of the router. */
  routerHardwareAddress: z.string().optional(),
});

/** A network interface of the device. */
const interfaceProfile = z.looseObject({
  /** Name of the interface in the operating system. */
  interfaceName: z.string().optional(),
  /** Addresses of the interface. */
  addressProfiles: z.array(addressProfile).optional(),
  /** Type of the network hardware, such as `wireless` or `ethernet`. */
  hardwareType: z.string().optional(),
  /** The wired connection, for `ethernet` hardware only. */
  ethernetProfile: ethernetProfile.optional(),
  /** The wireless connection, for `wireless` hardware only. */
  wirelessProfile: z
    .looseObject({
      /** Address of the access point. */
      bssid: z.string().optional(),
      /** Name of the wireless network. */
      ssid: z.string().optional(),
      /** Received signal strength, probably in dBm. The unit is not documented. */
      rssi: z.number().optional(),
      /** Radio channel. */
      channel: z.number().optional(),
      /** 802.11 mode, such as `802.11ac`. */
      phyMode: z.string().optional(),
    })
    .optional(),
});

/** The agent's extension in a browser. */
const browserExtension = z.looseObject({
  /** Type of the browser: `chrome`, `chrome-canary`, `chromium`, `ie` or `edge`. */
  browser: z.string().optional(),
  /** Profile of the browser. */
  profile: z.string().optional(),
  /** Version of the extension. */
  version: z.string().optional(),
  /** Whether the extension is enabled. */
  enabled: z.boolean().optional(),
  /** Whether the extension is in contact with the service. */
  active: z.boolean().optional(),
  /** The error that prevented the agent from reading the extension's state, or an empty string. */
  error: z.string().optional(),
});

/** A user account on the device. */
const client = z.looseObject({
  /** Name and login name of the user account. */
  userProfile: userProfile.optional(),
  /** Browser extensions of the user account. */
  browserExtensions: z.array(browserExtension).optional(),
});

/** An agent. */
export const agent = z.looseObject({
  /** Identifier of the agent, a UUID. */
  id: identifier,
  /** Account group of the agent. The account group changes at the end of a transfer. */
  aid: z
    .union([z.string(), z.number().transform(String)])
    .optional()
    .meta({ owned: true }),
  /** Display name of the agent. An update can change the display name. */
  name: z.string().optional(),
  /** Host name of the device. */
  computerName: z.string().optional(),
  /** Free disk space, as a fraction from 0 to 1. */
  freeDiskSpaceNormalized: z.number().optional(),
  /** Version of the operating system. */
  osVersion: z.string().optional(),
  /** Family of the operating system, such as `windows`, `mac` or `android`. */
  platform: z.string().optional(),
  /** Version of the kernel. */
  kernelVersion: z.string().optional(),
  /** Maker of the device. */
  manufacturer: z.string().optional(),
  /** Model of the device. */
  model: z.string().optional(),
  /** Version of the network card's driver. */
  nicDriverVersion: z.string().optional(),
  /** Model of the network card. */
  nicModel: z.string().optional(),
  /** Serial number of the device. */
  serialNumber: z.string().optional(),
  /** Time of the agent's last check-in (RFC 3339, UTC). */
  lastSeen: z.string().optional(),
  /** `enabled` or `disabled`. A disabled agent reports no data, but still contacts the service. */
  status: z.string().optional().meta({ owned: true }),
  /** Whether the agent is deleted. Lists contain deleted agents only with `includeDeleted`. */
  deleted: z.boolean().optional().meta({ owned: true }),
  /** Current version of the agent software. */
  version: z.string().optional(),
  /**
   * Newest available version of the agent software. The service returns `targetVersion` only with an undocumented value of
   * `expand`.
   */
  targetVersion: z.string().optional(),
  /** Time of registration (RFC 3339, UTC). */
  createdAt: z.string().optional(),
  /** Current number of user accounts on the device. */
  numberOfClients: z.number().optional(),
  /** Current public IP address of the agent. */
  publicIP: z.string().optional(),
  /** Approximate location of the agent's current public IP address. */
  location: z
    .looseObject({
      /** Degrees north, negative in the south. */
      latitude: z.number().optional(),
      /** Degrees east, negative in the west. */
      longitude: z.number().optional(),
      /** Name of the location. */
      locationName: z.string().optional(),
    })
    .optional(),
  /** User accounts on the device, returned only if `expand` contains `clients`. */
  clients: z.array(client).optional(),
  /** Installed memory as a string, such as `16384 MB`. */
  totalMemory: z.string().optional(),
  /** Type of the agent software: `endpoint`, `endpoint-pulse` or `endpoint-csc`. */
  agentType: z.string().optional(),
  /** VPN connections, returned only if `expand` contains `vpnProfiles`. */
  vpnProfiles: z
    .array(
      vpnProfile.extend({
        /** Name of the interface in the operating system. */
        interfaceName: z.string().optional(),
      }),
    )
    .optional(),
  /**
   * Properties that other systems assigned to the agent, such as `anyConnectDeviceId`. The service returns `externalMetadata`
   * only with an undocumented value of `expand`.
   */
  externalMetadata: z
    .array(
      z.looseObject({
        /** Name of the property. */
        key: z.string().optional(),
        /** Value of the property. */
        value: z.string().optional(),
      }),
    )
    .optional(),
  /** Reasons why the agent cannot collect certain data. The list is empty if the agent collects all data. */
  agentExplainabilityFailures: z
    .array(
      z.looseObject({
        /** Code of the reason. The service may add new codes. */
        reasonCode: z.string().optional(),
      }),
    )
    .optional(),
  /** Properties of the agent's deployment that the agent reported. */
  deploymentInfo: z
    .array(
      z.looseObject({
        /** Name of the property. */
        key: z.string().optional(),
        /** Value of the property. */
        value: z.string().optional(),
      }),
    )
    .optional(),
  /** Network interfaces, returned only if `expand` contains `networkInterfaceProfiles`. */
  networkInterfaceProfiles: z.array(interfaceProfile).optional(),
  /** Autonomous system of the public IP address. */
  asnDetails: asnDetails.optional(),
  /**
   * License tier: `essentials`, `advantage`, `embedded`, `embed-wireless-advantage` or `embed-wireless-essentials`. An update
   * can change the license tier.
   */
  licenseType: z.string().optional(),
  /** Whether the agent can run TCP tests. */
  tcpDriverAvailable: z.boolean().optional(),
  /** Version of the Npcap packet driver on Windows. */
  npcapVersion: z.string().optional(),
  /** Battery of the device. */
  batteryMetrics: batteryMetrics.optional(),
  /** Cellular connection of a mobile device. */
  cellularProfile: cellularProfile.optional(),
  /** Links, such as the link to the record itself. */
  _links: selfLinks.optional(),
});
export type AgentRecord = z.output<typeof agent>;
