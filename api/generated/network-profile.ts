// Written by `npm run generate` from the schemas; change it there.
import type { EthernetProfile } from "./device";

/** The agent's network during the measurement. */
export interface NetworkProfile extends NetworkInterfaceMembers {
  /** The error that occurred while the profile was read. */
  error?: string;
  /** Address of the default gateway. */
  gateway?: string;
  /** The wireless connection. Only for `wireless` hardware. */
  wirelessProfile?: {
    /** Name of the wireless network. */
    ssid?: string;
    /** Address of the access point. */
    bssid?: string;
    /** Radio channel. */
    channel?: number;
    /** 802.11 mode, such as `802.11ac`. */
    phyMode?: string;
    /** Received signal strength. The unit is not documented; probably dBm (inferred). */
    rssi?: number;
    /** Noise. The unit is not documented; probably dBm (inferred). */
    noise?: number;
    /** Signal to noise ratio. The unit is not documented; probably dB (inferred). */
    snr?: number;
    /** Quality of the signal. The unit is not documented; probably percent (inferred). */
    quality?: number;
    /** Sending rate. The unit is not documented; probably Mbit/s (inferred). */
    txRate?: number;
    /** Maker of the access point. */
    vendor?: string;
  };
  /** Configured proxies of the device. */
  proxyProfile?: {
    /** Source of the setting, such as `System`. */
    method?: string;
    /** The proxies. */
    proxies?: {
      /** Hosts that need no proxy. */
      bypass?: string;
      /** Address of the proxy. */
      proxy?: string;
    }[];
  };
  /** The wired connection. Only for `ethernet` hardware. */
  ethernetProfile?: EthernetProfile;
  /** The previously used interface. */
  previousInterface?: {
    /** Address of the interface. */
    ipAddress?: string;
    /** Mask of the local network, such as `255.255.255.0`. */
    subnetMask?: string;
    /** Public address. */
    publicIpAddress?: string;
    /** The internal network. */
    localPrefix?: string;
    /** First and last public address of the network. */
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
  /** The internal network. */
  localPrefix?: string;
  /** First and last public address of the network. */
  publicIpRange?: string;
  /** Addresses of the name servers. */
  dnsServers?: string[];
  /** Kind of hardware, such as `wireless` or `ethernet`. */
  hardwareType?: string;
  /** Name of the interface in the operating system. */
  interfaceName?: string;
}
