import { getServers } from "node:dns";
import { existsSync, readFileSync } from "node:fs";
import { hostname, type NetworkInterfaceInfo, networkInterfaces, platform, userInfo } from "node:os";
import { isLoopback } from "./targets";

export type Interface = NetworkInterfaceInfo & { readonly name: string };

/** Returns this machine's addresses without link-local IPv6 addresses. */
export function interfaces(): Interface[] {
  return Object.entries(networkInterfaces()).flatMap(([name, addresses]) =>
    (addresses ?? []).filter(({ address }) => !address.startsWith("fe80:")).map((entry) => ({ ...entry, name })),
  );
}

/** Returns the service's name for the operating system of this machine. */
export function platformHere(): "windows" | "mac" | "linux" | "unknown" {
  const names: Partial<Record<NodeJS.Platform, "windows" | "mac" | "linux">> = {
    win32: "windows",
    darwin: "mac",
    linux: "linux",
  };
  return names[platform()] ?? "unknown";
}

export type HardwareType = "unknown" | "wireless" | "ethernet" | "virtual" | "loopback";

/** Returns the hardware type of an interface, which only Linux reports. */
export function hardwareOf({ name, internal }: Interface): HardwareType {
  if (internal) return "loopback";
  const folder = `/sys/class/net/${name}`;
  if (!existsSync(folder)) return "unknown";
  if (existsSync(`${folder}/wireless`)) return "wireless";
  return existsSync(`${folder}/device`) ? "ethernet" : "virtual";
}

/** Returns the network data of a measurement. By default, the data describes the first external interface. */
export function networkProfile(address?: string) {
  const entries = interfaces();
  const used =
    entries.find((entry) => entry.address === address) ??
    (address !== undefined && isLoopback(address) ? entries.find(({ internal }) => internal) : undefined) ??
    entries.find(({ internal }) => !internal) ??
    entries[0];
  return used && profileOf(used);
}

/** Returns the known properties of a network interface. The emulator does not know public addresses, Wi-Fi networks and proxies. */
export function profileOf(used: Interface) {
  const gateway = used.internal ? undefined : gatewayOf(used.name);
  return {
    ipAddress: used.address,
    subnetMask: used.netmask,
    localPrefix: prefixOf(used),
    dnsServers: getServers(),
    hardwareType: hardwareOf(used),
    interfaceName: used.name,
    ...(gateway !== undefined && { gateway }),
  };
}

/** Returns the first address of an interface's network: `10.0.0.0` for `10.0.0.13/24`. */
export function prefixOf({ address, netmask, family }: NetworkInterfaceInfo): string {
  if (family === "IPv4") {
    const mask = netmask.split(".").map(Number);
    return address
      .split(".")
      .map((part, at) => Number(part) & (mask[at] ?? 0))
      .join(".");
  }
  const mask = groups(netmask);
  const masked = groups(address).map((group, at) => (group & (mask[at] ?? 0)).toString(16));
  // The URL parser converts IPv6 addresses to the short form (RFC 5952).
  return new URL(`http://[${masked.join(":")}]`).hostname.slice(1, -1);
}

function groups(address: string): number[] {
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const numbers = (part: string) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)));
  const [front, back] = [numbers(head), numbers(tail ?? "")];
  return [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back];
}

/** Returns the default gateway of an interface from the routing table, which only Linux provides as a file. */
export function gatewayOf(name: string): string | undefined {
  try {
    const routes = readFileSync("/proc/net/route", "utf8")
      .split("\n")
      .map((line) => line.split("\t"));
    const hex = routes.find(([at, destination]) => at === name && destination === "00000000")?.[2];
    return hex === undefined ? undefined : Buffer.from(hex, "hex").toReversed().join(".");
  } catch {
    return undefined;
  }
}

/** Returns the current user, or undefined if the user account has no name. */
export function userHere(): { userName: string; userPrincipalName: string } | undefined {
  try {
    const { username } = userInfo();
    return { userName: username, userPrincipalName: `${username}@${hostname()}` };
  } catch {
    return undefined;
  }
}
