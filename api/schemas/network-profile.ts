import { z } from "zod";

const networkInterface = {
  ipAddress: z.string().optional(),
  subnetMask: z.string().optional(),
  publicIpAddress: z.string().optional(),
  localPrefix: z.string().optional(),
  publicIpRange: z.string().optional(),
  dnsServers: z.array(z.string()).optional(),
  hardwareType: z.string().optional(),
  /** As the operating system calls it. */
  interfaceName: z.string().optional(),
};

/** Wi-Fi of the interface; only of `wireless` hardware. */
const wirelessProfile = z.looseObject({
  ssid: z.string().optional(),
  bssid: z.string().optional(),
  channel: z.number().optional(),
  /** 802.11 mode, such as `802.11ac`. */
  phyMode: z.string().optional(),
  rssi: z.number().optional(),
  noise: z.number().optional(),
  snr: z.number().optional(),
  quality: z.number().optional(),
  txRate: z.number().optional(),
  vendor: z.string().optional(),
});

const proxyProfile = z.looseObject({
  method: z.string().optional(),
  proxies: z.array(z.looseObject({ bypass: z.string().optional(), proxy: z.string().optional() })).optional(),
});

/** The network that the agent was in when it measured. */
export const networkProfile = z.looseObject({
  ...networkInterface,
  error: z.string().optional(),
  gateway: z.string().optional(),
  wirelessProfile: wirelessProfile.optional(),
  proxyProfile: proxyProfile.optional(),
  /** `linkSpeed` in Mbps; only of `ethernet` hardware. */
  ethernetProfile: z.looseObject({ linkSpeed: z.number().optional() }).optional(),
  previousInterface: z.looseObject(networkInterface).optional(),
});
