// Written by `npm run generate` from the schemas; change it there.

/** Battery of a device. */
export interface BatteryMetrics {
  /** Health of the battery as a share from 0 to 1. */
  batteryHealthNormalizedPercent?: number;
  /** Charge in words: `high`, `medium` or `low`. */
  batteryLevel?: string;
  /** Charge as a share from 0 to 1. */
  batteryLevelNormalizedPercent?: number;
}

/** Cellular connection of a mobile device. */
export interface CellularProfile {
  /** Name of the carrier. */
  carrierName?: string;
  /** Generation of the network in use, such as `5g`. */
  networkGen?: string;
  /** Technology of the network in use, such as `LTE`. */
  networkSubtype?: string;
  /** Generation that the carrier displays; it may differ from the one in use. */
  advertisedNetworkGen?: string;
  /** Technology that the carrier displays. */
  advertisedNetworkSubtype?: string;
  /** Received signal strength. The unit is not documented; probably dBm (inferred). */
  rssi?: number;
  /** Reference signal received power, in dBm. */
  rsrp?: number;
  /** Received signal code power, in dBm. */
  rscp?: number;
  /** Reference signal received quality, in dBm as documented. */
  rsrq?: number;
  /** Signal to interference and noise ratio, in dBm as documented. */
  sinr?: number;
}

/** Wired connection of a network interface. */
export interface EthernetProfile {
  /** Speed of the link in Mbit/s. */
  linkSpeed?: number;
}

/** An autonomous system: a network of the internet under one operator. */
export interface AsnDetails {
  /** Number of the autonomous system. */
  asNumber?: number;
  /** Name of the operator. */
  asName?: string;
}

/** User account of a session. */
export interface UserProfile {
  /** Name of the account on the device. */
  userName?: string;
  /** Login name in the form `user@domain`. */
  userPrincipalName?: string;
}

/** A VPN connection as the device reports it. */
export interface VpnProfile {
  /** The device's addresses in the VPN. */
  vpnClientAddresses?: string[];
  /** Networks that the device reaches through the VPN. */
  vpnClientNetworkRange?: string[];
  /** Address of the VPN gateway. */
  vpnGatewayAddress?: string;
  /** VPN client, such as `cisco-anyconnect`. */
  vpnType?: string;
}
