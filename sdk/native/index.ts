// Written by `npm run generate` from the dynamic front; change it there.
export * from "./functions";
export {
  AgentToServerInstantTest,
  AgentToServerTest,
  AgentTransfer,
  DynamicTest,
  EndpointAgent,
  EndpointAgentTag,
  HttpServerInstantTest,
  HttpServerTest,
  Label,
  TestRun,
} from "./resources";
export type { NativeFetch, NativeFetchAll, NativeFetchOutput } from "./invoke";
export { Provider } from "./provider";
export type { ProviderArgs } from "./provider-args";
