// `npm run generate` writes this file from the schemas in api/schemas.
import type { PageLinks } from "./common";

/** An event in an agent's log. `agentLogItemType` is the type of the event. */
export interface AgentLogItem {
  /** Identifier of the entry. */
  id?: string;
  /** Type of the entry: `wifi`, `vpn`, `online-offline` or `state-changes`. */
  agentLogItemType?: string;
  /** Time of the event, in milliseconds since 1970 (UTC). */
  timestampMs?: number;
  /** The event of the wireless connection, in `wifi` entries only. */
  wifiLogItem?: {
    /**
     * Type of the event: `wifi-connect`, `wifi-change`, `wifi-disconnect` or `wifi-connection-failure`. Members with the suffix
     * `From` contain the value before the change.
     */
    logItemType?: string;
    /** Name of the wireless network. */
    ssid?: string;
    /** Address of the access point. */
    bssid?: string;
    /** Address of the access point before the change. */
    bssidFrom?: string;
    /** Radio channel of the connection. */
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
      /** Code of the failure. The service does not document the codes. */
      code?: number;
    };
  };
  /** The event of the VPN connection, in `vpn` entries only. */
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
  /** The agent's change between online and offline, in `online-offline` entries only. */
  onlineOfflineLogItem?: {
    /** `online` or `offline`. */
    logItemType?: string;
  };
  /** The agent's change of state, in `state-changes` entries only. */
  stateChangesLogItem?: {
    /** `enabled`, `disabled`, `deleted` or `recover`. */
    logItemType?: string;
  };
}

/** A page of an agent's log. */
export interface AgentLogs {
  /** The entries of the page. */
  logs: AgentLogItem[];
  /** Links, such as the link to the next page. */
  _links?: PageLinks;
}
