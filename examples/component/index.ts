/**
 * Uses the component in site.ts, which other programs can also use. In this folder:
 *
 *   pulumi stack init dev
 *   pulumi config set endpoint-monitoring:baseUrl <base URL of the service or the emulator>
 *   pulumi config set --secret endpoint-monitoring:token
 *   pulumi up
 */
import { Site } from "./site";

const berlin = new Site("Berlin", { networks: ["10.10.0.0/16"], gateway: "vpn-ber.example.com" });
new Site("Lyon", {
  networks: ["10.20.0.0/16", "10.21.0.0/16"],
  gateway: "vpn-lys.example.com",
  pages: { portal: "https://portal.example.com", erp: "https://erp.example.com" },
  interval: 120,
});

export const berlinLabel = berlin.labelId;
