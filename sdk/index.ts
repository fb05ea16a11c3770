export * from "./agent-transfer";
export * from "./agent-to-server-test";
export * from "./dynamic-test";
export * from "./endpoint-agent";
export * from "./http-server-test";
export * from "./label";
export type { GetArgs } from "./resource";
export type { DeepInput } from "./types";
