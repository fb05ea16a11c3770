// Written by `npm run generate` from the schemas; change it there.
import type { EthernetProfile } from "./device";

/** The network that the agent was in when it measured. */
export interface NetworkProfile extends NetworkInterfaceMembers {
  /** The error that occurred while the profile was read. */
  error?: string;
  /** Address of the default gateway. */
  gateway?: string;
  /** The wireless connection; only of `wireless` hardware. */
  wirelessProfile?: {
    /** Name of the wireless network. */
    ssid?: string;
    /** Address of the access point. */
    bssid?: string;
    /** Radio channel. */
    channel?: number;
    /** 802.11 mode, such as `802.11ac`. */
    phyMode?: string;
    /** Received signal strength. The unit is not stated: dBm (inferred). */
    rssi?: number;
    /** Noise. The unit is not stated: dBm (inferred). */
    noise?: number;
    /** Signal to noise ratio. The unit is not stated: dB (inferred). */
    snr?: number;
    /** Quality of the signal. The unit is not stated: percent (inferred). */
    quality?: number;
    /** Rate of sending. The unit is not stated: Mbit/s (inferred). */
    txRate?: number;
    /** Maker of the access point. */
    vendor?: string;
  };
  /** Proxies that the device is set to use. */
  proxyProfile?: {
    /** Where the setting comes from, such as `System`. */
    method?: string;
    /** The proxies. */
    proxies?: {
      /** Hosts that are reached without the proxy. */
      bypass?: string;
      /** Address of the proxy. */
      proxy?: string;
    }[];
  };
  /** The wired connection; only of `ethernet` hardware. */
  ethernetProfile?: EthernetProfile;
  /** The interface that was in use before this one. */
  previousInterface?: {
    /** Address of the interface. */
    ipAddress?: string;
    /** Mask of the local network, such as `255.255.255.0`. */
    subnetMask?: string;
    /** Public address. */
    publicIpAddress?: string;
    /** The network inside. */
    localPrefix?: string;
    /** Public addresses of the network, from first to last. */
    publicIpRange?: string;
    /** Addresses of the name servers. */
    dnsServers?: string[];
    /** Kind of hardware, such as `wireless` or `ethernet`. */
    hardwareType?: string;
    /** Name of the interface in the operating system. */
    interfaceName?: string;
  };
}

export interface NetworkInterfaceMembers {
  /** Address of the interface. */
  ipAddress?: string;
  /** Mask of the local network, such as `255.255.255.0`. */
  subnetMask?: string;
  /** Public address. */
  publicIpAddress?: string;
  /** The network inside. */
  localPrefix?: string;
  /** Public addresses of the network, from first to last. */
  publicIpRange?: string;
  /** Addresses of the name servers. */
  dnsServers?: string[];
  /** Kind of hardware, such as `wireless` or `ethernet`. */
  hardwareType?: string;
  /** Name of the interface in the operating system. */
  interfaceName?: string;
}
