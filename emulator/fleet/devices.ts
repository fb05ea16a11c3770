import type { Device, AgentLicense, Platform } from "../model/agents";
import type { Random } from "./random";

interface Model {
  readonly platform: Platform;
  readonly manufacturer: string;
  readonly model: string;
  readonly laptop: boolean;
  readonly memory: readonly [number, ...number[]];
  readonly os: readonly [readonly [version: string, kernel: string], ...(readonly [version: string, kernel: string])[]];
  readonly nics: readonly [readonly [model: string, driver: string], ...(readonly [model: string, driver: string])[]];
  /** Letter in computer names that identifies this type of device. */
  readonly tag: string;
}

const windows = {
  platform: "windows",
  os: [
    ["Microsoft Windows 11 Enterprise (22631)", "10.0.22631"],
    ["Microsoft Windows 11 Enterprise (26100)", "10.0.26100"],
    ["Microsoft Windows 10 Pro (19045)", "10.0.19045"],
  ],
  nics: [
    ["Intel(R) Wi-Fi 6 AX200 160MHz", "22.250.0.9"],
    ["Intel(R) Wi-Fi 6E AX211 160MHz", "23.60.1.2"],
  ],
} as const;
const wired = [["Realtek PCIe GbE Family Controller", "10.68.815.2023"]] as const;
const mac = {
  platform: "mac",
  manufacturer: "Apple, Inc.",
  os: [
    ["Version 14.6.1 (Build 23G93)", "Darwin 23.6.0"],
    ["Version 15.2 (Build 24C101)", "Darwin 24.2.0"],
    ["Version 13.7 (Build 22H123)", "Darwin 22.6.0"],
  ],
  nics: [["Apple Wi-Fi", "1.0"]],
} as const;
const linux = {
  platform: "linux",
  os: [
    ["Ubuntu 24.04.1 LTS", "6.8.0-48-generic"],
    ["Debian GNU/Linux 12 (bookworm)", "6.1.0-26-amd64"],
  ],
  nics: [["Intel Corporation Ethernet Connection I219-LM", "6.8.0"]],
} as const;

const models: readonly [readonly [weight: number, Model], ...(readonly [weight: number, Model])[]] = [
  [28, { ...windows, manufacturer: "LENOVO", model: "ThinkPad T14 Gen 4", laptop: true, memory: [16_384, 32_768], tag: "L" }],
  [22, { ...windows, manufacturer: "Dell Inc.", model: "Latitude 7440", laptop: true, memory: [16_384, 32_768], tag: "L" }],
  [
    10,
    { ...windows, nics: wired, manufacturer: "HP", model: "EliteDesk 800 G9", laptop: false, memory: [8192, 16_384], tag: "D" },
  ],
  [18, { ...mac, model: "MacBookPro18,3", laptop: true, memory: [16_384, 32_768], tag: "M" }],
  [8, { ...mac, model: "MacBookAir10,1", laptop: true, memory: [8192, 16_384], tag: "M" }],
  [7, { ...linux, manufacturer: "Dell Inc.", model: "Precision 3660", laptop: false, memory: [32_768, 65_536], tag: "X" }],
  [
    5,
    {
      platform: "roomos",
      manufacturer: "Cisco",
      model: "Room Kit",
      laptop: false,
      memory: [4096],
      os: [["RoomOS 11.20.1.7", "5.10.0"]],
      nics: [["Onboard Ethernet", "1.0"]],
      tag: "R",
    },
  ],
  [
    2,
    {
      platform: "phoneos",
      manufacturer: "Cisco",
      model: "Desk Phone 9861",
      laptop: false,
      memory: [2048],
      os: [["PhoneOS 3.2.1", "5.4.0"]],
      nics: [["Onboard Ethernet", "1.0"]],
      tag: "P",
    },
  ],
];

export function makeDevice(random: Random): { device: Device; tag: string; laptop: boolean; licenseType: AgentLicense } {
  const { os, nics, memory, laptop, tag, platform, manufacturer, model } = random.weighted(models);
  const [osVersion, kernelVersion] = random.pick(os);
  const [nicModel, nicDriverVersion] = random.pick(nics);
  const embedded = platform === "roomos" || platform === "phoneos";
  return {
    tag,
    laptop,
    licenseType: embedded
      ? "embedded"
      : random.weighted([
          [55, "advantage"],
          [45, "essentials"],
        ]),
    device: {
      platform,
      osVersion,
      kernelVersion,
      manufacturer,
      model,
      totalMemory: `${random.pick(memory)} MB`,
      freeDiskSpaceNormalized: random.between(5, 90) / 100,
      serialNumber: random.hex(12).toUpperCase(),
      nicModel,
      nicDriverVersion,
      tcpDriverAvailable: !embedded,
      ...(platform === "windows" && { npcapVersion: "1.79" }),
      ...(laptop && { batteryMetrics: battery(random) }),
    },
  };
}

function battery(random: Random): Device["batteryMetrics"] {
  const charge = random.between(8, 100) / 100;
  return {
    batteryHealthNormalizedPercent: random.between(70, 100) / 100,
    batteryLevel: charge > 0.6 ? "high" : charge > 0.2 ? "medium" : "low",
    batteryLevelNormalizedPercent: charge,
  };
}
