// `npm run generate` writes this file from the schemas in api/schemas.

/** Battery of a device. */
export interface BatteryMetrics {
  /** Health of the battery, as a fraction from 0 to 1. */
  batteryHealthNormalizedPercent?: number;
  /** Charge level as a word: `high`, `medium` or `low`. */
  batteryLevel?: string;
  /** Battery charge, as a fraction from 0 to 1. */
  batteryLevelNormalizedPercent?: number;
}

/** Cellular connection of a mobile device. */
export interface CellularProfile {
  /** Name of the carrier. */
  carrierName?: string;
  /** Generation of the mobile network in use, such as `5g`. */
  networkGen?: string;
  /** Technology of the mobile network in use, such as `LTE`. */
  networkSubtype?: string;
  /** Network generation that the carrier advertises, which may differ from the generation in use. */
  advertisedNetworkGen?: string;
  /** Network technology that the carrier advertises. */
  advertisedNetworkSubtype?: string;
  /** Received signal strength, probably in dBm. The unit is not documented. */
  rssi?: number;
  /** Reference signal received power, in dBm. */
  rsrp?: number;
  /** Received signal code power, in dBm. */
  rscp?: number;
  /** Reference signal received quality, documented as dBm. */
  rsrq?: number;
  /** Signal to interference and noise ratio, documented as dBm. */
  sinr?: number;
}

/** Wired connection of a network interface. */
export interface EthernetProfile {
  /** Speed of the link in Mbit/s. */
  linkSpeed?: number;
}

/** An autonomous system: a network on the internet with one operator. */
export interface AsnDetails {
  /** Number of the autonomous system. */
  asNumber?: number;
  /** Name of the operator. */
  asName?: string;
}

/** A user account on the device. */
export interface UserProfile {
  /** Name of the user account on the device. */
  userName?: string;
  /** Login name of the user, such as `user@domain`. */
  userPrincipalName?: string;
}

/** A VPN connection of the device. */
export interface VpnProfile {
  /** The device's addresses in the VPN. */
  vpnClientAddresses?: string[];
  /** Networks that the device can access through the VPN. */
  vpnClientNetworkRange?: string[];
  /** Address of the VPN gateway. */
  vpnGatewayAddress?: string;
  /** VPN client, such as `cisco-anyconnect`. */
  vpnType?: string;
}
