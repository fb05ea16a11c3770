import { z } from "zod";
import { identifier, pageLinks } from "./common";

/** An event of the wireless connection of an agent. */
const wifiLogItem = z.looseObject({
  /**
   * `wifi-connect`, `wifi-change`, `wifi-disconnect` or `wifi-connection-failure`; the members ending in `From` hold what
   * was before a change.
   */
  logItemType: z.string().optional(),
  /** Name of the wireless network. */
  ssid: z.string().optional(),
  /** Address of the access point. */
  bssid: z.string().optional(),
  /** Address of the access point before the change. */
  bssidFrom: z.string().optional(),
  /** Radio channel. */
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
      /** More about the failure. */
      context: z.string().optional(),
      /** Code of the failure. What the codes mean is not documented. */
      code: z.number().optional(),
    })
    .optional(),
});

/** An event of a VPN connection of an agent. */
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

/** An event of an agent. `agentLogItemType` names the one of the four items that is present. */
export const agentLogItem = z.looseObject({
  /** Identifier of the entry. */
  id: identifier.optional(),
  /** Kind of entry: `wifi`, `vpn`, `online-offline` or `state-changes`. */
  agentLogItemType: z.string().optional(),
  /** When it happened, in milliseconds since 1970 (UTC). */
  timestampMs: z.number().optional(),
  /** The event of the wireless connection, of a `wifi` entry. */
  wifiLogItem: wifiLogItem.optional(),
  /** The event of the VPN connection, of a `vpn` entry. */
  vpnLogItem: vpnLogItem.optional(),
  /** The event, of an `online-offline` entry. */
  onlineOfflineLogItem: z
    .looseObject({
      /** `online` or `offline`. */
      logItemType: z.string().optional(),
    })
    .optional(),
  /** The event, of a `state-changes` entry. */
  stateChangesLogItem: z
    .looseObject({
      /** `enabled`, `disabled`, `deleted` or `recover`. */
      logItemType: z.string().optional(),
    })
    .optional(),
});
export type AgentLogItem = z.output<typeof agentLogItem>;

/** A page of the log of an agent. */
export const agentLogs = z.looseObject({
  /** The entries of the page. */
  logs: z.array(agentLogItem),
  /** Links of the page. */
  _links: pageLinks.optional(),
});
export type AgentLogs = z.output<typeof agentLogs>;
