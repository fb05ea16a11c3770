// `npm run generate` writes this file from the schemas in api/schemas.
import type { SelfLinks } from "./common";
import type { AsnDetails, BatteryMetrics, CellularProfile, EthernetProfile, UserProfile } from "./device";

/** An agent. */
export interface AgentRecord {
  /** Identifier of the agent, a UUID. */
  id: string;
  /** Account group of the agent. The account group changes at the end of a transfer. */
  aid?: string;
  /** Display name of the agent. An update can change the display name. */
  name?: string;
  /** Host name of the device. */
  computerName?: string;
  /** Free disk space, as a fraction from 0 to 1. */
  freeDiskSpaceNormalized?: number;
  /** Version of the operating system. */
  osVersion?: string;
  /** Family of the operating system, such as `windows`, `mac` or `android`. */
  platform?: string;
  /** Version of the kernel. */
  kernelVersion?: string;
  /** Maker of the device. */
  manufacturer?: string;
  /** Model of the device. */
  model?: string;
  /** Version of the network card's driver. */
  nicDriverVersion?: string;
  /** Model of the network card. */
  nicModel?: string;
  /** Serial number of the device. */
  serialNumber?: string;
  /** Time of the agent's last check-in (RFC 3339, UTC). */
  lastSeen?: string;
  /** `enabled` or `disabled`. A disabled agent reports no data, but still contacts the service. */
  status?: string;
  /** Whether the agent is deleted. Lists contain deleted agents only with `includeDeleted`. */
  deleted?: boolean;
  /** Current version of the agent software. */
  version?: string;
  /**
   * Newest available version of the agent software. The service returns `targetVersion` only with an undocumented value of
   * `expand`.
   */
  targetVersion?: string;
  /** Time of registration (RFC 3339, UTC). */
  createdAt?: string;
  /** Current number of user accounts on the device. */
  numberOfClients?: number;
  /** Current public IP address of the agent. */
  publicIP?: string;
  /** Approximate location of the agent's current public IP address. */
  location?: {
    /** Degrees north, negative in the south. */
    latitude?: number;
    /** Degrees east, negative in the west. */
    longitude?: number;
    /** Name of the location. */
    locationName?: string;
  };
  /** User accounts on the device, returned only if `expand` contains `clients`. */
  clients?: {
    /** Name and login name of the user account. */
    userProfile?: UserProfile;
    /** Browser extensions of the user account. */
    browserExtensions?: {
      /** Type of the browser: `chrome`, `chrome-canary`, `chromium`, `ie` or `edge`. */
      browser?: string;
      /** Profile of the browser. */
      profile?: string;
      /** Version of the extension. */
      version?: string;
      /** Whether the extension is enabled. */
      enabled?: boolean;
      /** Whether the extension is in contact with the service. */
      active?: boolean;
      /** The error that prevented the agent from reading the extension's state, or an empty string. */
      error?: string;
    }[];
  }[];
  /** Installed memory as a string, such as `16384 MB`. */
  totalMemory?: string;
  /** Type of the agent software: `endpoint`, `endpoint-pulse` or `endpoint-csc`. */
  agentType?: string;
  /** VPN connections, returned only if `expand` contains `vpnProfiles`. */
  vpnProfiles?: {
    /** The device's addresses in the VPN. */
    vpnClientAddresses?: string[];
    /** Networks that the device can access through the VPN. */
    vpnClientNetworkRange?: string[];
    /** Address of the VPN gateway. */
    vpnGatewayAddress?: string;
    /** VPN client, such as `cisco-anyconnect`. */
    vpnType?: string;
    /** Name of the interface in the operating system. */
    interfaceName?: string;
  }[];
  /**
   * Properties that other systems assigned to the agent, such as `anyConnectDeviceId`. The service returns `externalMetadata`
   * only with an undocumented value of `expand`.
   */
  externalMetadata?: {
    /** Name of the property. */
    key?: string;
    /** Value of the property. */
    value?: string;
  }[];
  /** Reasons why the agent cannot collect certain data. The list is empty if the agent collects all data. */
  agentExplainabilityFailures?: {
    /** Code of the reason. The service may add new codes. */
    reasonCode?: string;
  }[];
  /** Properties of the agent's deployment that the agent reported. */
  deploymentInfo?: {
    /** Name of the property. */
    key?: string;
    /** Value of the property. */
    value?: string;
  }[];
  /** Network interfaces, returned only if `expand` contains `networkInterfaceProfiles`. */
  networkInterfaceProfiles?: {
    /** Name of the interface in the operating system. */
    interfaceName?: string;
    /** Addresses of the interface. */
    addressProfiles?: {
      /** Scope of the address: `loopback`, `unspecified`, `unique-local`, `link-local` or `unique-global`. */
      addressType?: string;
      /** IP address of the interface. */
      ipAddress?: string;
      /** Length of the address prefix, in bits. */
      prefixLength?: number;
      /** Address of the default gateway. */
      gateway?: string;
      /** MAC address of the router. */
      routerHardwareAddress?: string;
    }[];
    /** Type of the network hardware, such as `wireless` or `ethernet`. */
    hardwareType?: string;
    /** The wired connection, for `ethernet` hardware only. */
    ethernetProfile?: EthernetProfile;
    /** The wireless connection, for `wireless` hardware only. */
    wirelessProfile?: {
      /** Address of the access point. */
      bssid?: string;
      /** Name of the wireless network. */
      ssid?: string;
      /** Received signal strength, probably in dBm. The unit is not documented. */
      rssi?: number;
      /** Radio channel. */
      channel?: number;
      /** 802.11 mode, such as `802.11ac`. */
      phyMode?: string;
    };
  }[];
  /** Autonomous system of the public IP address. */
  asnDetails?: AsnDetails;
  /**
   * License tier: `essentials`, `advantage`, `embedded`, `embed-wireless-advantage` or `embed-wireless-essentials`. An update
   * can change the license tier.
   */
  licenseType?: string;
  /** Whether the agent can run TCP tests. */
  tcpDriverAvailable?: boolean;
  /** Version of the Npcap packet driver on Windows. */
  npcapVersion?: string;
  /** Battery of the device. */
  batteryMetrics?: BatteryMetrics;
  /** Cellular connection of a mobile device. */
  cellularProfile?: CellularProfile;
  /** Links, such as the link to the record itself. */
  _links?: SelfLinks;
}
