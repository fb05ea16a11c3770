// `npm run generate` writes this file from the schemas in api/schemas.
import type { EthernetProfile } from "./device";

/** The agent's network during the measurement. */
export interface NetworkProfile extends NetworkInterfaceMembers {
  /** The error that prevented the agent from reading the network profile. */
  error?: string;
  /** Address of the default gateway. */
  gateway?: string;
  /** The wireless connection, for `wireless` hardware only. */
  wirelessProfile?: {
    /** Name of the wireless network. */
    ssid?: string;
    /** Address of the access point. */
    bssid?: string;
    /** Radio channel. */
    channel?: number;
    /** 802.11 mode, such as `802.11ac`. */
    phyMode?: string;
    /** Received signal strength, probably in dBm. The unit is not documented. */
    rssi?: number;
    /** Noise level, probably in dBm. The unit is not documented. */
    noise?: number;
    /** Signal to noise ratio, probably in dB. The unit is not documented. */
    snr?: number;
    /** Quality of the signal, probably in percent. The unit is not documented. */
    quality?: number;
    /** Transmission rate, probably in Mbit/s. The unit is not documented. */
    txRate?: number;
    /** Maker of the access point. */
    vendor?: string;
  };
  /** Proxies that are configured on the device. */
  proxyProfile?: {
    /** Source of the proxy configuration, such as `System`. */
    method?: string;
    /** The proxies. */
    proxies?: {
      /** Hosts that the device contacts without a proxy. */
      bypass?: string;
      /** Address of the proxy. */
      proxy?: string;
    }[];
  };
  /** The wired connection, for `ethernet` hardware only. */
  ethernetProfile?: EthernetProfile;
  /** The network interface that the agent used before the current interface. */
  previousInterface?: {
    /** IP address of the network interface. */
    ipAddress?: string;
    /** Subnet mask of the local network, such as `255.255.255.0`. */
    subnetMask?: string;
    /** Public address. */
    publicIpAddress?: string;
    /** Address range of the internal network. */
    localPrefix?: string;
    /** First and last public IP address of the network. */
    publicIpRange?: string;
    /** Addresses of the name servers. */
    dnsServers?: string[];
    /** Type of the network hardware, such as `wireless` or `ethernet`. */
    hardwareType?: string;
    /** Name of the interface in the operating system. */
    interfaceName?: string;
  };
}

export interface NetworkInterfaceMembers {
  /** IP address of the network interface. */
  ipAddress?: string;
  /** Subnet mask of the local network, such as `255.255.255.0`. */
  subnetMask?: string;
  /** Public address. */
  publicIpAddress?: string;
  /** Address range of the internal network. */
  localPrefix?: string;
  /** First and last public IP address of the network. */
  publicIpRange?: string;
  /** Addresses of the name servers. */
  dnsServers?: string[];
  /** Type of the network hardware, such as `wireless` or `ethernet`. */
  hardwareType?: string;
  /** Name of the interface in the operating system. */
  interfaceName?: string;
}
