import { vpnTypes } from "../../api/schemas";
import type { NetworkInterface, Platform, AgentEnvironment, AgentVpn } from "../model/agents";
import { homeProviders, officeProvider, type City } from "./places";
import type { Random } from "./random";

const names: Partial<Record<Platform, { wired: string; wireless: string; vpn: string }>> = {
  windows: { wired: "Ethernet", wireless: "Wi-Fi", vpn: "Ethernet 3" },
  mac: { wired: "en5", wireless: "en0", vpn: "utun4" },
};
const linuxNames = { wired: "eth0", wireless: "wlan0", vpn: "tun0" };

/** VPN vendors by account group. Each account group has different vendors, so that labels can select agents by VPN vendor. */
const vendors = [vpnTypes[0], vpnTypes[1], vpnTypes[3]] as const;

/** Returns the network environment of a device: an office, or a home with an optional VPN. */
export function makeSurroundings(
  random: Random,
  {
    place,
    platform,
    atHome,
    wired,
    group,
  }: { place: City; platform: Platform; atHome: boolean; wired: boolean; group: number },
): AgentEnvironment {
  const { city, countryISO, subdivision1Code, latitude, longitude } = place;
  const interfaceNames = names[platform] ?? linuxNames;
  const near = (degrees: number) => Math.round((degrees + (random.next() - 0.5) / 10) * 10_000) / 10_000;
  return {
    publicIP: atHome ? `203.0.113.${random.between(1, 254)}` : `198.51.100.${place.network}`,
    location: {
      locationName: city,
      latitude: atHome ? near(latitude) : latitude,
      longitude: atHome ? near(longitude) : longitude,
    },
    region: { countryISO, subdivision1Code, city },
    asnDetails: atHome ? random.pick(homeProviders) : officeProvider,
    networkInterfaceProfiles: [
      atHome ? homeInterface(random, interfaceNames, wired) : officeInterface(random, interfaceNames, wired, place),
    ],
    vpnProfiles: atHome && random.chance(0.7) ? [vpn(random, interfaceNames.vpn, group, place)] : [],
  };
}

type NetworkNames = typeof linuxNames;

function officeInterface(
  random: Random,
  { wired: wire, wireless }: NetworkNames,
  wired: boolean,
  { network }: City,
): NetworkInterface {
  const floor = random.between(1, 6);
  const subnet = `10.${network}.${wired ? floor : floor + 100}`;
  const address = {
    addressType: "unique-local",
    ipAddress: `${subnet}.${random.between(20, 250)}`,
    prefixLength: 24,
    gateway: `${subnet}.1`,
    routerHardwareAddress: hardwareAddress(network, floor),
  };
  const addressProfiles = random.chance(0.3)
    ? [address, { addressType: "unique-global", ipAddress: `2001:db8:${network}:${floor}::${random.hex(3)}`, prefixLength: 64 }]
    : [address];
  if (wired) return { interfaceName: wire, hardwareType: "ethernet", addressProfiles, ethernetProfile: { linkSpeed: 1000 } };
  const ssid = random.chance(0.1) ? "GuestWiFi" : "CorpWiFi";
  return wifi(random, wireless, addressProfiles, ssid, hardwareAddress(network, 16 * floor + random.between(1, 4)));
}

function homeInterface(random: Random, { wired: wire, wireless }: NetworkNames, wired: boolean): NetworkInterface {
  const subnet = `192.168.${random.pick([0, 1, 178])}`;
  const router = random.between(1, 250);
  const addressProfiles = [
    {
      addressType: "unique-local",
      ipAddress: `${subnet}.${random.between(20, 250)}`,
      prefixLength: 24,
      gateway: `${subnet}.1`,
      routerHardwareAddress: hardwareAddress(200, router),
    },
  ];
  if (wired) return { interfaceName: wire, hardwareType: "ethernet", addressProfiles, ethernetProfile: { linkSpeed: 1000 } };
  return wifi(random, wireless, addressProfiles, `Home-${random.hex(4).toUpperCase()}`, hardwareAddress(201, router));
}

function wifi(
  random: Random,
  interfaceName: string,
  addressProfiles: NetworkInterface["addressProfiles"],
  ssid: string,
  bssid: string,
): NetworkInterface {
  const [channel, phyMode] = random.pick([
    [1, "802.11n"],
    [6, "802.11n"],
    [36, "802.11ac"],
    [48, "802.11ac"],
    [100, "802.11ax"],
  ]);
  const wirelessProfile = { bssid, ssid, rssi: -random.between(35, 80), channel, phyMode };
  return { interfaceName, hardwareType: "wireless", addressProfiles, wirelessProfile };
}

function vpn(random: Random, interfaceName: string, group: number, { network }: City): AgentVpn {
  const range = `172.${16 + group}.${network}`;
  return {
    interfaceName,
    vpnType: vendors[group] ?? vendors[0],
    vpnGatewayAddress: `192.0.2.${network}`,
    vpnClientAddresses: [`${range}.${random.between(2, 254)}`],
    vpnClientNetworkRange: [`${range}.0/24`],
  };
}

/** Returns a MAC address from the locally administered range. */
function hardwareAddress(network: number, device: number): string {
  const byte = (value: number) => value.toString(16).padStart(2, "0");
  return `02:00:5e:10:${byte(network)}:${byte(device)}`;
}
