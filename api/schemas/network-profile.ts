import { z } from "zod";
import { ethernetProfile } from "./device";

const networkInterface = {
  /** IP address of the network interface. */
  ipAddress: z.string().optional(),
  /** Subnet mask of the local network, such as `255.255.255.0`. */
  subnetMask: z.string().optional(),
  /** Public address. */
  publicIpAddress: z.string().optional(),
  /** Address range of the internal network. */
  localPrefix: z.string().optional(),
  /** First and last public IP address of the network. */
  publicIpRange: z.string().optional(),
  /** Addresses of the name servers. */
  dnsServers: z.array(z.string()).optional(),
  /** Type of the network hardware, such as `wireless` or `ethernet`. */
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
  /** Received signal strength, probably in dBm. The unit is not documented. */
  rssi: z.number().optional(),
  /** Noise level, probably in dBm. The unit is not documented. */
  noise: z.number().optional(),
  /** Signal to noise ratio, probably in dB. The unit is not documented. */
  snr: z.number().optional(),
  /** Quality of the signal, probably in percent. The unit is not documented. */
  quality: z.number().optional(),
  /** Transmission rate, probably in Mbit/s. The unit is not documented. */
  txRate: z.number().optional(),
  /** Maker of the access point. */
  vendor: z.string().optional(),
});

/** Proxy configuration of the device. */
const proxyProfile = z.looseObject({
  /** Source of the proxy configuration, such as `System`. */
  method: z.string().optional(),
  /** The proxies. */
  proxies: z
    .array(
      z.looseObject({
        /** Hosts that the device contacts without a proxy. */
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
  /** The error that prevented the agent from reading the network profile. */
  error: z.string().optional(),
  /** Address of the default gateway. */
  gateway: z.string().optional(),
  /** The wireless connection, for `wireless` hardware only. */
  wirelessProfile: wirelessProfile.optional(),
  /** Proxies that are configured on the device. */
  proxyProfile: proxyProfile.optional(),
  /** The wired connection, for `ethernet` hardware only. */
  ethernetProfile: ethernetProfile.optional(),
  /** The network interface that the agent used before the current interface. */
  previousInterface: z.looseObject(networkInterface).optional(),
});
export type NetworkProfile = z.output<typeof networkProfile>;
