import { z } from "zod";
import { ethernetProfile } from "./device";

const networkInterface = {
  /** Address of the interface. */
  ipAddress: z.string().optional(),
  /** Mask of the local network, such as `255.255.255.0`. */
  subnetMask: z.string().optional(),
  /** Public address. */
  publicIpAddress: z.string().optional(),
  /** The network inside. */
  localPrefix: z.string().optional(),
  /** Public addresses of the network, from first to last. */
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
  /** Received signal strength. The unit is not stated: dBm (inferred). */
  rssi: z.number().optional(),
  /** Noise. The unit is not stated: dBm (inferred). */
  noise: z.number().optional(),
  /** Signal to noise ratio. The unit is not stated: dB (inferred). */
  snr: z.number().optional(),
  /** Quality of the signal. The unit is not stated: percent (inferred). */
  quality: z.number().optional(),
  /** Rate of sending. The unit is not stated: Mbit/s (inferred). */
  txRate: z.number().optional(),
  /** Maker of the access point. */
  vendor: z.string().optional(),
});

/** Proxies that the device is set to use. */
const proxyProfile = z.looseObject({
  /** Where the setting comes from, such as `System`. */
  method: z.string().optional(),
  /** The proxies. */
  proxies: z
    .array(
      z.looseObject({
        /** Hosts that are reached without the proxy. */
        bypass: z.string().optional(),
        /** Address of the proxy. */
        proxy: z.string().optional(),
      }),
    )
    .optional(),
});

/** The network that the agent was in when it measured. */
export const networkProfile = z.looseObject({
  ...networkInterface,
  /** The error that occurred while the profile was read. */
  error: z.string().optional(),
  /** Address of the default gateway. */
  gateway: z.string().optional(),
  /** The wireless connection; only of `wireless` hardware. */
  wirelessProfile: wirelessProfile.optional(),
  /** Proxies that the device is set to use. */
  proxyProfile: proxyProfile.optional(),
  /** The wired connection; only of `ethernet` hardware. */
  ethernetProfile: ethernetProfile.optional(),
  /** The interface that was in use before this one. */
  previousInterface: z.looseObject(networkInterface).optional(),
});
export type NetworkProfile = z.output<typeof networkProfile>;
