import "./compile-cache";
import { createHost } from "./dynamic";
import { registry } from "./registry";

/*
 * Pulumi's provider host loads the providers below by name. The state of every resource contains the name of its provider, so
 * the names never change. `npm run generate` writes this file from `provider/registry.ts`.
 */
const host = createHost();

export const label: object = host.provider(registry.label);
export const endpointAgentTag: object = host.provider(registry.endpointAgentTag);
export const agentToServerTest: object = host.provider(registry.agentToServerTest);
export const httpServerTest: object = host.provider(registry.httpServerTest);
export const dynamicTest: object = host.provider(registry.dynamicTest);
export const endpointAgent: object = host.provider(registry.endpointAgent);
export const agentTransfer: object = host.provider(registry.agentTransfer);
export const agentToServerInstantTest: object = host.provider(registry.agentToServerInstantTest);
export const httpServerInstantTest: object = host.provider(registry.httpServerInstantTest);
export const testRun: object = host.provider(registry.testRun);
