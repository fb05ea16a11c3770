import type { z } from "zod";
import type { licenseType, platform } from "../../api/schemas";
import { type Collection, membersOf } from "../store";

export type AgentLicense = z.output<typeof licenseType>;
export type Platform = z.output<typeof platform>;

export interface NetworkInterface {
  readonly interfaceName: string;
  readonly hardwareType: string;
  readonly addressProfiles: readonly {
    readonly addressType: string;
    readonly ipAddress: string;
    readonly prefixLength: number;
    readonly gateway?: string;
    readonly routerHardwareAddress?: string;
  }[];
  readonly ethernetProfile?: { readonly linkSpeed: number };
  readonly wirelessProfile?: {
    readonly bssid: string;
    readonly ssid: string;
    readonly rssi: number;
    readonly channel: number;
    readonly phyMode: string;
  };
}

export interface AgentVpn {
  readonly interfaceName: string;
  readonly vpnType: string;
  readonly vpnGatewayAddress: string;
  readonly vpnClientAddresses: readonly string[];
  readonly vpnClientNetworkRange: readonly string[];
}

export interface AgentClient {
  readonly userProfile: { readonly userName: string; readonly userPrincipalName?: string };
  readonly browserExtensions: readonly {
    readonly browser: string;
    readonly profile: string;
    readonly version: string;
    readonly enabled: boolean;
    readonly active: boolean;
    readonly error: string;
  }[];
}

export interface Device {
  readonly platform: Platform;
  readonly osVersion: string;
  readonly kernelVersion: string;
  readonly totalMemory: string;
  readonly freeDiskSpaceNormalized?: number;
  readonly manufacturer?: string;
  readonly model?: string;
  readonly serialNumber?: string;
  readonly nicModel?: string;
  readonly nicDriverVersion?: string;
  readonly npcapVersion?: string;
  readonly tcpDriverAvailable: boolean;
  readonly batteryMetrics?: {
    readonly batteryHealthNormalizedPercent: number;
    readonly batteryLevel: string;
    readonly batteryLevelNormalizedPercent: number;
  };
}

export interface AgentEnvironment {
  readonly publicIP: string;
  readonly location: { readonly locationName: string; readonly latitude?: number; readonly longitude?: number };
  /** Location of the agent. Only searches use the location, which responses do not contain. */
  readonly region?: { readonly countryISO: string; readonly subdivision1Code: string; readonly city: string };
  readonly asnDetails?: { readonly asNumber: number; readonly asName: string };
  readonly networkInterfaceProfiles: readonly NetworkInterface[];
  readonly vpnProfiles: readonly AgentVpn[];
}

export interface StoredAgent extends Device, AgentEnvironment {
  readonly name: string;
  readonly computerName: string;
  readonly status: "enabled" | "disabled";
  readonly deleted: boolean;
  readonly licenseType: AgentLicense;
  readonly agentType: string;
  readonly version: string;
  readonly targetVersion: string;
  readonly createdAt: string;
  /** Time of the last check-in, if the agent is switched off. */
  readonly silentSince?: string;
  readonly clients: readonly AgentClient[];
  readonly externalMetadata: readonly { readonly key: string; readonly value: string }[];
}

/** The ids of agents are UUIDs, so the emulator never uses the number series of this collection. */
export const agents: Collection<StoredAgent> = {
  name: "agents",
  series: "agents",
  firstId: 1,
  needs: membersOf<StoredAgent>({
    platform: true,
    osVersion: true,
    kernelVersion: true,
    totalMemory: true,
    tcpDriverAvailable: true,
    publicIP: true,
    location: true,
    networkInterfaceProfiles: true,
    vpnProfiles: true,
    name: true,
    computerName: true,
    status: true,
    deleted: true,
    licenseType: true,
    agentType: true,
    version: true,
    targetVersion: true,
    createdAt: true,
    clients: true,
    externalMetadata: true,
  }),
};
