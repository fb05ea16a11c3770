// Written by `npm run generate` from the schemas; change it there.
import type { PageLinks } from "./common";

/** An event of an agent. `agentLogItemType` names the item that is present. */
export interface AgentLogItem {
  /** Identifier of the entry. */
  id?: string;
  /** Kind of entry: `wifi`, `vpn`, `online-offline` or `state-changes`. */
  agentLogItemType?: string;
  /** Time of the event, in milliseconds since 1970 (UTC). */
  timestampMs?: number;
  /** The event of the wireless connection. Only in `wifi` entries. */
  wifiLogItem?: {
    /**
     * `wifi-connect`, `wifi-change`, `wifi-disconnect` or `wifi-connection-failure`. Members ending in `From` have the value
     * before a change.
     */
    logItemType?: string;
    /** Name of the wireless network. */
    ssid?: string;
    /** Address of the access point. */
    bssid?: string;
    /** Address of the access point before the change. */
    bssidFrom?: string;
    /** Radio channel. */
    channel?: string;
    /** Radio channel before the change. */
    channelFrom?: string;
    /** 802.11 mode, such as `802.11ac`. */
    physicalMode?: string;
    /** 802.11 mode before the change. */
    physicalModeFrom?: string;
    /** The reason why the connection failed. */
    failure?: {
      /** Phase that failed: `init`, `auth`, `assoc`, `eap` or `dhcp`. */
      type?: string;
      /** Details of the failure. */
      context?: string;
      /** Code of the failure. The codes are not documented. */
      code?: number;
    };
  };
  /** The event of the VPN connection. Only in `vpn` entries. */
  vpnLogItem?: {
    /** `vpn-connect` or `vpn-disconnect`. */
    logItemType?: string;
    /** VPN client, such as `cisco-anyconnect`. */
    vpnType?: string;
    /** Name of the VPN server. */
    vpnServerName?: string;
    /** Address of the VPN server. */
    vpnServerAddress?: string;
  };
  /** The event. Only in `online-offline` entries. */
  onlineOfflineLogItem?: {
    /** `online` or `offline`. */
    logItemType?: string;
  };
  /** The event. Only in `state-changes` entries. */
  stateChangesLogItem?: {
    /** `enabled`, `disabled`, `deleted` or `recover`. */
    logItemType?: string;
  };
}

/** A page of an agent's log. */
export interface AgentLogs {
  /** The entries of the page. */
  logs: AgentLogItem[];
  /** Links of the page. */
  _links?: PageLinks;
}
