// Written by `npm run generate` from the schemas; change it there.
import type { SelfLinks } from "./common";
import type { AsnDetails, BatteryMetrics, CellularProfile, EthernetProfile, UserProfile } from "./device";

/** An agent. */
export interface AgentRecord {
  /** Identifier of the agent, a UUID. */
  id: string;
  /** Account group of the agent. It changes when a transfer has finished. */
  aid?: string;
  /** Display name. It can be changed. */
  name?: string;
  /** Host name of the device. */
  computerName?: string;
  /** Free storage as a share from 0 to 1. */
  freeDiskSpaceNormalized?: number;
  /** Version of the operating system, as text. */
  osVersion?: string;
  /** Family of the operating system, such as `windows`, `mac` or `android`. */
  platform?: string;
  /** Version of the kernel, as text. */
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
  /** Time of the last check-in (RFC 3339, UTC). It changes by itself. */
  lastSeen?: string;
  /** `enabled` or `disabled`. A disabled agent reports no data, but still checks in. */
  status?: string;
  /** Whether the agent is deleted. Deleted agents are listed only with `includeDeleted`. */
  deleted?: boolean;
  /** Version of the agent software. It changes by itself. */
  version?: string;
  /** Newest available version. The service returns it only with an undocumented value of `expand`. */
  targetVersion?: string;
  /** Time of registration (RFC 3339, UTC). */
  createdAt?: string;
  /** Number of user accounts on the device that the agent serves. It changes by itself. */
  numberOfClients?: number;
  /** Public address that the service sees. It changes by itself. */
  publicIP?: string;
  /** Approximate location, from the public address. It changes by itself. */
  location?: {
    /** Degrees north, negative in the south. */
    latitude?: number;
    /** Degrees east, negative in the west. */
    longitude?: number;
    /** Name of the place. */
    locationName?: string;
  };
  /** User accounts on the device. Only with `clients` in `expand`. */
  clients?: {
    /** Names of the account. */
    userProfile?: UserProfile;
    /** Extensions in the browsers of the account. */
    browserExtensions?: {
      /** Kind of browser: `chrome`, `chrome-canary`, `chromium`, `ie` or `edge`. */
      browser?: string;
      /** Profile of the browser. */
      profile?: string;
      /** Version of the extension. */
      version?: string;
      /** Whether the extension is enabled. */
      enabled?: boolean;
      /** Whether the extension is in contact with the service. */
      active?: boolean;
      /** The error that occurred while the extension's state was read, or an empty text. */
      error?: string;
    }[];
  }[];
  /** Installed memory as text, such as `16384 MB`. */
  totalMemory?: string;
  /** Kind of agent software: `endpoint`, `endpoint-pulse` or `endpoint-csc`. */
  agentType?: string;
  /** VPN connections. Only with `vpnProfiles` in `expand`. */
  vpnProfiles?: {
    /** The device's addresses in the VPN. */
    vpnClientAddresses?: string[];
    /** Networks that the device reaches through the VPN. */
    vpnClientNetworkRange?: string[];
    /** Address of the VPN gateway. */
    vpnGatewayAddress?: string;
    /** VPN client, such as `cisco-anyconnect`. */
    vpnType?: string;
    /** Name of the interface in the operating system. */
    interfaceName?: string;
  }[];
  /**
   * Properties from other systems, such as `anyConnectDeviceId`. Like `targetVersion`, the service returns them only with an
   * undocumented value of `expand`.
   */
  externalMetadata?: {
    /** Name of the property. */
    key?: string;
    /** Value of the property. */
    value?: string;
  }[];
  /** Data that the agent cannot collect now; empty if it collects everything. */
  agentExplainabilityFailures?: {
    /** Code of the reason. New codes may appear. */
    reasonCode?: string;
  }[];
  /** Properties of the deployment that the agent reported. */
  deploymentInfo?: {
    /** Name of the property. */
    key?: string;
    /** Value of the property. */
    value?: string;
  }[];
  /** Network interfaces. Only with `networkInterfaceProfiles` in `expand`. */
  networkInterfaceProfiles?: {
    /** Name of the interface in the operating system. */
    interfaceName?: string;
    /** Addresses of the interface. */
    addressProfiles?: {
      /** Scope of the address: `loopback`, `unspecified`, `unique-local`, `link-local` or `unique-global`. */
      addressType?: string;
      /** IP address of the interface. */
      ipAddress?: string;
      /** Length of the network part of the address, in bits. */
      prefixLength?: number;
      /** Address of the default gateway. */
      gateway?: string;
      /** MAC address of the router. */
      routerHardwareAddress?: string;
    }[];
    /** Kind of hardware, such as `wireless` or `ethernet`. */
    hardwareType?: string;
    /** The wired connection. Only for `ethernet` hardware. */
    ethernetProfile?: EthernetProfile;
    /** The wireless connection. Only for `wireless` hardware. */
    wirelessProfile?: {
      /** Address of the access point. */
      bssid?: string;
      /** Name of the wireless network. */
      ssid?: string;
      /** Received signal strength. The unit is not documented; probably dBm (inferred). */
      rssi?: number;
      /** Radio channel. */
      channel?: number;
      /** 802.11 mode, such as `802.11ac`. */
      phyMode?: string;
    };
  }[];
  /** Autonomous system of the public address. */
  asnDetails?: AsnDetails;
  /**
   * License tier: `essentials`, `advantage`, `embedded`, `embed-wireless-advantage` or `embed-wireless-essentials`. It can
   * be changed.
   */
  licenseType?: string;
  /** Whether the agent can run TCP tests. */
  tcpDriverAvailable?: boolean;
  /** Version of the packet driver. Windows agents only. */
  npcapVersion?: string;
  /** Battery of the device. */
  batteryMetrics?: BatteryMetrics;
  /** Cellular connection of a mobile device. */
  cellularProfile?: CellularProfile;
  /** Links of the record. */
  _links?: SelfLinks;
}
