import { z } from "zod";

/** Battery of a device, in agents and results alike. */
export const batteryMetrics = z.looseObject({
  /** Health as a share from 0 to 1. */
  batteryHealthNormalizedPercent: z.number().optional(),
  /** `high`, `medium` or `low`. */
  batteryLevel: z.string().optional(),
  /** Charge as a share from 0 to 1. */
  batteryLevelNormalizedPercent: z.number().optional(),
});

/** Cellular connection of a mobile device, in agents and results alike. */
export const cellularProfile = z.looseObject({
  carrierName: z.string().optional(),
  /** Generation in use, such as `5g`; the one that the carrier shows may be another. */
  networkGen: z.string().optional(),
  networkSubtype: z.string().optional(),
  advertisedNetworkGen: z.string().optional(),
  advertisedNetworkSubtype: z.string().optional(),
  rssi: z.number().optional(),
  /** dBm, like the three after it. */
  rsrp: z.number().optional(),
  rscp: z.number().optional(),
  rsrq: z.number().optional(),
  sinr: z.number().optional(),
});

/** Whose session it was. */
export const userProfile = z.looseObject({
  userName: z.string().optional(),
  /** Login name, `user@domain`. */
  userPrincipalName: z.string().optional(),
});

/** A VPN connection as the device tells of it. */
export const vpnProfile = z.looseObject({
  /** Addresses that the VPN gave the device. */
  vpnClientAddresses: z.array(z.string()).optional(),
  /** Networks that the VPN gave the device. */
  vpnClientNetworkRange: z.array(z.string()).optional(),
  vpnGatewayAddress: z.string().optional(),
  vpnType: z.string().optional(),
});
