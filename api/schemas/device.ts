import { z } from "zod";

/** Battery of a device. */
export const batteryMetrics = z.looseObject({
  /** Health of the battery as a share from 0 to 1. */
  batteryHealthNormalizedPercent: z.number().optional(),
  /** Charge in words: `high`, `medium` or `low`. */
  batteryLevel: z.string().optional(),
  /** Charge as a share from 0 to 1. */
  batteryLevelNormalizedPercent: z.number().optional(),
});
export type BatteryMetrics = z.output<typeof batteryMetrics>;

/** Cellular connection of a mobile device. */
export const cellularProfile = z.looseObject({
  /** Name of the carrier. */
  carrierName: z.string().optional(),
  /** Generation of the network in use, such as `5g`. */
  networkGen: z.string().optional(),
  /** Technology of the network in use, such as `LTE`. */
  networkSubtype: z.string().optional(),
  /** Generation that the carrier displays; it may differ from the one in use. */
  advertisedNetworkGen: z.string().optional(),
  /** Technology that the carrier displays. */
  advertisedNetworkSubtype: z.string().optional(),
  /** Received signal strength. The unit is not documented; probably dBm (inferred). */
  rssi: z.number().optional(),
  /** Reference signal received power, in dBm. */
  rsrp: z.number().optional(),
  /** Received signal code power, in dBm. */
  rscp: z.number().optional(),
  /** Reference signal received quality, in dBm as documented. */
  rsrq: z.number().optional(),
  /** Signal to interference and noise ratio, in dBm as documented. */
  sinr: z.number().optional(),
});
export type CellularProfile = z.output<typeof cellularProfile>;

/** Wired connection of a network interface. */
export const ethernetProfile = z.looseObject({
  /** Speed of the link in Mbit/s. */
  linkSpeed: z.number().optional(),
});
export type EthernetProfile = z.output<typeof ethernetProfile>;

/** An autonomous system: a network of the internet under one operator. */
export const asnDetails = z.looseObject({
  /** Number of the autonomous system. */
  asNumber: z.number().optional(),
  /** Name of the operator. */
  asName: z.string().optional(),
});
export type AsnDetails = z.output<typeof asnDetails>;

/** User account of a session. */
export const userProfile = z.looseObject({
  /** Name of the account on the device. */
  userName: z.string().optional(),
  /** Login name in the form `user@domain`. */
  userPrincipalName: z.string().optional(),
});
export type UserProfile = z.output<typeof userProfile>;

/** A VPN connection as the device reports it. */
export const vpnProfile = z.looseObject({
  /** The device's addresses in the VPN. */
  vpnClientAddresses: z.array(z.string()).optional(),
  /** Networks that the device reaches through the VPN. */
  vpnClientNetworkRange: z.array(z.string()).optional(),
  /** Address of the VPN gateway. */
  vpnGatewayAddress: z.string().optional(),
  /** VPN client, such as `cisco-anyconnect`. */
  vpnType: z.string().optional(),
});
export type VpnProfile = z.output<typeof vpnProfile>;
