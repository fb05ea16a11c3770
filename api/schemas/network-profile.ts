import { z } from "zod";
import { ethernetProfile } from "./device";

const networkInterface = {
  /** Address of the interface. */
  ipAddress: z.string().optional(),
  /** Mask of the local network, such as `255.255.255.0`. */
  subnetMask: z.string().optional(),
  /** Public address. */
  publicIpAddress: z.string().optional(),
  /** The internal network. */
  localPrefix: z.string().optional(),
  /** First and last public address of the network. */
  publicIpRange: z.string().optional(),
  /** Addresses of the name servers. */
  dnsServers: z.array(z.string()).optional(),
  /** Kind of hardware, such as `wireless` or `ethernet`. */
  hardwareType: z.string().optional(),
  /** Name of the interface in the operating system. */
  interfaceName: z.string().optional(),
};

/** Wireless connection of the interface. */
const wirelessProfile = z.looseObject({
  /** Name of the wireless network. */
  ssid: z.string().optional(),
  /** Address of the access point. */
  bssid: z.string().optional(),
  /** Radio channel. */
  channel: z.number().optional(),
  /** 802.11 mode, such as `802.11ac`. */
  phyMode: z.string().optional(),
  /** Received signal strength. The unit is not documented; probably dBm (inferred). */
  rssi: z.number().optional(),
  /** Noise. The unit is not documented; probably dBm (inferred). */
  noise: z.number().optional(),
  /** Signal to noise ratio. The unit is not documented; probably dB (inferred). */
  snr: z.number().optional(),
  /** Quality of the signal. The unit is not documented; probably percent (inferred). */
  quality: z.number().optional(),
  /** Sending rate. The unit is not documented; probably Mbit/s (inferred). */
  txRate: z.number().optional(),
  /** Maker of the access point. */
  vendor: z.string().optional(),
});

/** Configured proxies of the device. */
const proxyProfile = z.looseObject({
  /** Source of the setting, such as `System`. */
  method: z.string().optional(),
  /** The proxies. */
  proxies: z
    .array(
      z.looseObject({
        /** Hosts that need no proxy. */
        bypass: z.string().optional(),
        /** Address of the proxy. */
        proxy: z.string().optional(),
      }),
    )
    .optional(),
});

/** The agent's network during the measurement. */
export const networkProfile = z.looseObject({
  ...networkInterface,
  /** The error that occurred while the profile was read. */
  error: z.string().optional(),
  /** Address of the default gateway. */
  gateway: z.string().optional(),
  /** The wireless connection. Only for `wireless` hardware. */
  wirelessProfile: wirelessProfile.optional(),
  /** Configured proxies of the device. */
  proxyProfile: proxyProfile.optional(),
  /** The wired connection. Only for `ethernet` hardware. */
  ethernetProfile: ethernetProfile.optional(),
  /** The previously used interface. */
  previousInterface: z.looseObject(networkInterface).optional(),
});
export type NetworkProfile = z.output<typeof networkProfile>;
