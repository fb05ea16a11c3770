import { z } from "zod";

/** Battery of a device. */
export const batteryMetrics = z.looseObject({
  /** Health of the battery, as a fraction from 0 to 1. */
  batteryHealthNormalizedPercent: z.number().optional(),
  /** Charge level as a word: `high`, `medium` or `low`. */
  batteryLevel: z.string().optional(),
  /** Battery charge, as a fraction from 0 to 1. */
  batteryLevelNormalizedPercent: z.number().optional(),
});
export type BatteryMetrics = z.output<typeof batteryMetrics>;

/** Cellular connection of a mobile device. */
export const cellularProfile = z.looseObject({
  /** Name of the carrier. */
  carrierName: z.string().optional(),
  /** Generation of the mobile network in use, such as `5g`. */
  networkGen: z.string().optional(),
  /** Technology of the mobile network in use, such as `LTE`. */
  networkSubtype: z.string().optional(),
  /** Network generation that the carrier advertises, which may differ from the generation in use. */
  advertisedNetworkGen: z.string().optional(),
  /** Network technology that the carrier advertises. */
  advertisedNetworkSubtype: z.string().optional(),
  /** Received signal strength, probably in dBm. The unit is not documented. */
  rssi: z.number().optional(),
  /** Reference signal received power, in dBm. */
  rsrp: z.number().optional(),
  /** Received signal code power, in dBm. */
  rscp: z.number().optional(),
  /** Reference signal received quality, documented as dBm. */
  rsrq: z.number().optional(),
  /** Signal to interference and noise ratio, documented as dBm. */
  sinr: z.number().optional(),
});
export type CellularProfile = z.output<typeof cellularProfile>;

/** Wired connection of a network interface. */
export const ethernetProfile = z.looseObject({
  /** Speed of the link in Mbit/s. */
  linkSpeed: z.number().optional(),
});
export type EthernetProfile = z.output<typeof ethernetProfile>;

/** An autonomous system: a network on the internet with one operator. */
export const asnDetails = z.looseObject({
  /** Number of the autonomous system. */
  asNumber: z.number().optional(),
  /** Name of the operator. */
  asName: z.string().optional(),
});
export type AsnDetails = z.output<typeof asnDetails>;

/** A user account on the device. */
export const userProfile = z.looseObject({
  /** Name of the user account on the device. */
  userName: z.string().optional(),
  /** Login name of the user, such as `user@domain`. */
  userPrincipalName: z.string().optional(),
});
export type UserProfile = z.output<typeof userProfile>;

/** A VPN connection of the device. */
export const vpnProfile = z.looseObject({
  /** The device's addresses in the VPN. */
  vpnClientAddresses: z.array(z.string()).optional(),
  /** Networks that the device can access through the VPN. */
  vpnClientNetworkRange: z.array(z.string()).optional(),
  /** Address of the VPN gateway. */
  vpnGatewayAddress: z.string().optional(),
  /** VPN client, such as `cisco-anyconnect`. */
  vpnType: z.string().optional(),
});
export type VpnProfile = z.output<typeof vpnProfile>;
