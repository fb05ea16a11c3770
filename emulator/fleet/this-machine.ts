import { statfsSync } from "node:fs";
import { hostname, release, totalmem, type, version } from "node:os";
import { gatewayOf, hardwareOf, type Interface, interfaces, platformHere, userHere } from "../measure/machine";
import type { AgentClient, Device, NetworkInterface, AgentEnvironment } from "../model/agents";

/** Properties of the machine that runs the emulator. Properties that the emulator cannot read are absent. */
export type ThisMachine = Device &
  AgentEnvironment & { readonly computerName: string; readonly clients: readonly AgentClient[] };

export function thisMachine(): ThisMachine {
  const userProfile = userHere();
  return {
    computerName: hostname(),
    platform: platformHere(),
    osVersion: version(),
    kernelVersion: `${type()} ${release()}`,
    totalMemory: `${Math.round(totalmem() / 2 ** 20)} MB`,
    freeDiskSpaceNormalized: freeDiskSpace(),
    // The emulator measures networks with TCP connections.
    tcpDriverAvailable: true,
    publicIP: "127.0.0.1",
    location: { locationName: "This machine" },
    networkInterfaceProfiles: profiles(),
    vpnProfiles: [],
    clients: userProfile ? [{ userProfile, browserExtensions: [] }] : [],
  };
}

function freeDiskSpace(): number | undefined {
  try {
    const { bavail, blocks } = statfsSync("/");
    return blocks > 0 ? Math.round((bavail / blocks) * 100) / 100 : undefined;
  } catch {
    return undefined;
  }
}

function profiles(): NetworkInterface[] {
  const addresses = interfaces();
  const first = addresses.filter(({ name }, at) => addresses.findIndex((candidate) => candidate.name === name) === at);
  return first.map((address) => ({
    interfaceName: address.name,
    hardwareType: hardwareOf(address),
    addressProfiles: addresses.filter(({ name }) => name === address.name).map(addressProfile),
  }));
}

function addressProfile({ name, address, cidr, family, internal }: Interface): NetworkInterface["addressProfiles"][number] {
  const gateway = family === "IPv4" && !internal ? gatewayOf(name) : undefined;
  return {
    addressType: addressType(address),
    ipAddress: address,
    prefixLength: Number(cidr?.split("/")[1] ?? (family === "IPv4" ? 32 : 128)),
    ...(gateway !== undefined && { gateway }),
  };
}

/** Returns the scope of an address (RFC 1918, 3927, 4193). */
function addressType(address: string): string {
  if (/^(127\.|::1$)/.test(address)) return "loopback";
  if (address.startsWith("169.254.")) return "link-local";
  return /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|f[cd])/i.test(address) ? "unique-local" : "unique-global";
}
