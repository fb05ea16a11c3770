/**
 * Manages agents. Agents register themselves, so the program adopts them. In this folder:
 *
 *   pulumi stack init dev
 *   pulumi config set endpoint-monitoring:baseUrl <base URL of the service or the emulator>
 *   pulumi config set --secret endpoint-monitoring:token
 *   pulumi config set agents:kiosk <host name of a device>
 *   pulumi config set agents:headquarters <id of the account group where agents register>
 *   pulumi config set agents:branch <account group id of the branch>
 *   pulumi config set --path 'agents:moving[0]' <id of an agent to move there>
 *   pulumi up
 */
import * as pulumi from "@pulumi/pulumi";
import { AgentTransfer, EndpointAgent } from "pulumi-endpoint-monitoring";

const config = new pulumi.Config("agents");
const [headquarters, branch] = [config.require("headquarters"), config.require("branch")];

// Finds an agent by the host name of its device, in any account group. If you change its account group, the update transfers
// the agent and waits until it arrives.
const kiosk = new EndpointAgent("kiosk", {
  lookup: { computerName: config.require("kiosk") },
  agentName: "Kiosk in the lobby",
  licenseType: "essentials",
  enabled: true,
  accountGroupId: branch,
});

// Transfers several agents. If some transfers fail, the update names these agents, and the next update transfers only them.
const moving = config.getObject<string[]>("moving") ?? [];
if (moving.length > 0) {
  new AgentTransfer("to-the-branch", {
    transfers: moving.map((agentId) => ({ agentId, fromAid: headquarters, toAid: branch })),
  });
}

export const kioskId = kiosk.agentId;
export const kioskPlatform = kiosk.platform;
