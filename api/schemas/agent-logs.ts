import { z } from "zod";
import { identifier, pageLinks } from "./common";

/** An event of an agent's wireless connection. */
const wifiLogItem = z.looseObject({
  /**
   * Type of the event: `wifi-connect`, `wifi-change`, `wifi-disconnect` or `wifi-connection-failure`. Members with the suffix
   * `From` contain the value before the change.
   */
  logItemType: z.string().optional(),
  /** Name of the wireless network. */
  ssid: z.string().optional(),
  /** Address of the access point. */
  bssid: z.string().optional(),
  /** Address of the access point before the change. */
  bssidFrom: z.string().optional(),
  /** Radio channel of the connection. */
  channel: z.string().optional(),
  /** Radio channel before the change. */
  channelFrom: z.string().optional(),
  /** 802.11 mode, such as `802.11ac`. */
  physicalMode: z.string().optional(),
  /** 802.11 mode before the change. */
  physicalModeFrom: z.string().optional(),
  /** The reason why the connection failed. */
  failure: z
    .looseObject({
      /** Phase that failed: `init`, `auth`, `assoc`, `eap` or `dhcp`. */
      type: z.string().optional(),
      /** Details of the failure. */
      context: z.string().optional(),
      /** Code of the failure. The service does not document the codes. */
      code: z.number().optional(),
    })
    .optional(),
});

/** An event of an agent's VPN connection. */
const vpnLogItem = z.looseObject({
  /** `vpn-connect` or `vpn-disconnect`. */
  logItemType: z.string().optional(),
  /** VPN client, such as `cisco-anyconnect`. */
  vpnType: z.string().optional(),
  /** Name of the VPN server. */
  vpnServerName: z.string().optional(),
  /** Address of the VPN server. */
  vpnServerAddress: z.string().optional(),
});

/** An event in an agent's log. `agentLogItemType` is the type of the event. */
export const agentLogItem = z.looseObject({
  /** Identifier of the entry. */
  id: identifier.optional(),
  /** Type of the entry: `wifi`, `vpn`, `online-offline` or `state-changes`. */
  agentLogItemType: z.string().optional(),
  /** Time of the event, in milliseconds since 1970 (UTC). */
  timestampMs: z.number().optional(),
  /** The event of the wireless connection, in `wifi` entries only. */
  wifiLogItem: wifiLogItem.optional(),
  /** The event of the VPN connection, in `vpn` entries only. */
  vpnLogItem: vpnLogItem.optional(),
  /** The agent's change between online and offline, in `online-offline` entries only. */
  onlineOfflineLogItem: z
    .looseObject({
      /** `online` or `offline`. */
      logItemType: z.string().optional(),
    })
    .optional(),
  /** The agent's change of state, in `state-changes` entries only. */
  stateChangesLogItem: z
    .looseObject({
      /** `enabled`, `disabled`, `deleted` or `recover`. */
      logItemType: z.string().optional(),
    })
    .optional(),
});
export type AgentLogItem = z.output<typeof agentLogItem>;

/** A page of an agent's log. */
export const agentLogs = z.looseObject({
  /** The entries of the page. */
  logs: z.array(agentLogItem),
  /** Links, such as the link to the next page. */
  _links: pageLinks.optional(),
});
export type AgentLogs = z.output<typeof agentLogs>;
