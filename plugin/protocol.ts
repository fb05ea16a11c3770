import type * as Grpc from "@grpc/grpc-js";
import type * as EngineService from "@pulumi/pulumi/proto/engine_grpc_pb";
import type * as EngineMessages from "@pulumi/pulumi/proto/engine_pb";
import type * as PluginMessages from "@pulumi/pulumi/proto/plugin_pb";
import type * as ProviderService from "@pulumi/pulumi/proto/provider_grpc_pb";
import type * as ProviderMessages from "@pulumi/pulumi/proto/provider_pb";
import type * as AnyMessage from "google-protobuf/google/protobuf/any_pb";
import type * as EmptyMessage from "google-protobuf/google/protobuf/empty_pb";
import type * as StructMessage from "google-protobuf/google/protobuf/struct_pb";
import { sdkModules } from "./sdk-modules";

/** The classes and services of gRPC and of Pulumi's plugin protocol that a provider needs. */
export interface PluginProtocol {
  readonly grpc: typeof Grpc;
  readonly service: typeof ProviderService.ResourceProviderService;
  readonly messages: typeof ProviderMessages;
  readonly PluginInfo: typeof PluginMessages.PluginInfo;
  readonly EngineClient: typeof EngineService.EngineClient;
  readonly engine: typeof EngineMessages;
  readonly Status: StatusClass;
  readonly Any: typeof AnyMessage.Any;
  readonly Empty: typeof EmptyMessage.Empty;
  readonly Struct: typeof StructMessage.Struct;
}

/** Type of the gRPC message for structured errors. Pulumi's package does not export this type. */
type StatusClass = new () => {
  setCode(code: number): void;
  setMessage(message: string): void;
  addDetails(details: AnyMessage.Any): void;
  serializeBinary(): Uint8Array;
};

/**
 * Loads the protocol from Pulumi's SDK.
 *
 * @param programFolder folder of the program, which contains Pulumi's SDK if the plugin does not
 * @throws MissingSdkError
 */
export function loadProtocol(programFolder: string = process.cwd()): PluginProtocol {
  const sdk = sdkModules(programFolder);
  return {
    grpc: sdk("@grpc/grpc-js") as typeof Grpc,
    service: (sdk("./proto/provider_grpc_pb.js") as typeof ProviderService).ResourceProviderService,
    messages: sdk("./proto/provider_pb.js") as typeof ProviderMessages,
    PluginInfo: (sdk("./proto/plugin_pb.js") as typeof PluginMessages).PluginInfo,
    EngineClient: (sdk("./proto/engine_grpc_pb.js") as typeof EngineService).EngineClient,
    engine: sdk("./proto/engine_pb.js") as typeof EngineMessages,
    Status: (sdk("./proto/status_pb.js") as { Status: StatusClass }).Status,
    Any: (sdk("google-protobuf/google/protobuf/any_pb.js") as typeof AnyMessage).Any,
    Empty: (sdk("google-protobuf/google/protobuf/empty_pb.js") as typeof EmptyMessage).Empty,
    Struct: (sdk("google-protobuf/google/protobuf/struct_pb.js") as typeof StructMessage).Struct,
  };
}
