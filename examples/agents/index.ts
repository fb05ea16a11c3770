/**
 * Agents as code. They register themselves; a program adopts them. In this folder:
 *
 *   pulumi stack init dev
 *   pulumi config set endpoint-monitoring:baseUrl <root of the service, or of the emulator>
 *   pulumi config set --secret endpoint-monitoring:token
 *   pulumi config set agents:kiosk <host name of a device>
 *   pulumi config set agents:headquarters <id of the account group where agents register>
 *   pulumi config set agents:branch <account group id of the branch>
 *   pulumi config set --path 'agents:moving[0]' <id of an agent that is to move there>
 *   pulumi up
 */
import * as pulumi from "@pulumi/pulumi";
import { AgentTransfer, EndpointAgent } from "pulumi-endpoint-monitoring";

const config = new pulumi.Config("agents");
const [headquarters, branch] = [config.require("headquarters"), config.require("branch")];

// One agent, found by the host name of its device, wherever it is. Its account group is a property like the others: a change
// of it is a transfer, and the update waits until the agent has arrived.
const kiosk = new EndpointAgent("kiosk", {
  lookup: { computerName: config.require("kiosk") },
  agentName: "Kiosk in the lobby",
  licenseType: "essentials",
  enabled: true,
  accountGroupId: branch,
});

// Many agents at once. Each has an outcome of its own; what fails is named, and the next update tries those alone.
const moving = config.getObject<string[]>("moving") ?? [];
if (moving.length > 0) {
  new AgentTransfer("to-the-branch", {
    transfers: moving.map((agentId) => ({ agentId, fromAid: headquarters, toAid: branch })),
  });
}

export const kioskId = kiosk.agentId;
export const kioskPlatform = kiosk.platform;
