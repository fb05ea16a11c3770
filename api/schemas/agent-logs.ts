import { z } from "zod";
import { identifier, pageLinks } from "./common";

const wifiLogItem = z.looseObject({
  /** Such as `wifi-connect` or `wifi-change`; the `…From` members tell what was before a change. */
  logItemType: z.string().optional(),
  ssid: z.string().optional(),
  bssid: z.string().optional(),
  bssidFrom: z.string().optional(),
  channel: z.string().optional(),
  channelFrom: z.string().optional(),
  physicalMode: z.string().optional(),
  physicalModeFrom: z.string().optional(),
  failure: z
    .looseObject({
      /** Phase that failed: `init`, `auth`, `assoc`, `eap` or `dhcp`. */
      type: z.string().optional(),
      context: z.string().optional(),
      code: z.number().optional(),
    })
    .optional(),
});

const vpnLogItem = z.looseObject({
  logItemType: z.string().optional(),
  vpnType: z.string().optional(),
  vpnServerName: z.string().optional(),
  vpnServerAddress: z.string().optional(),
});

/** What happened to an agent; `agentLogItemType` says which of the four items is there. */
export const agentLogItem = z.looseObject({
  id: identifier.optional(),
  agentLogItemType: z.string().optional(),
  timestampMs: z.number().optional(),
  wifiLogItem: wifiLogItem.optional(),
  vpnLogItem: vpnLogItem.optional(),
  onlineOfflineLogItem: z.looseObject({ logItemType: z.string().optional() }).optional(),
  stateChangesLogItem: z.looseObject({ logItemType: z.string().optional() }).optional(),
});
export type AgentLogItem = z.output<typeof agentLogItem>;

export const agentLogs = z.looseObject({ logs: z.array(agentLogItem), _links: pageLinks.optional() });
