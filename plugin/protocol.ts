import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type * as Grpc from "@grpc/grpc-js";
import type * as EngineService from "@pulumi/pulumi/proto/engine_grpc_pb";
import type * as EngineMessages from "@pulumi/pulumi/proto/engine_pb";
import type * as PluginMessages from "@pulumi/pulumi/proto/plugin_pb";
import type * as ProviderService from "@pulumi/pulumi/proto/provider_grpc_pb";
import type * as ProviderMessages from "@pulumi/pulumi/proto/provider_pb";
import type * as AnyMessage from "google-protobuf/google/protobuf/any_pb";
import type * as EmptyMessage from "google-protobuf/google/protobuf/empty_pb";
import type * as StructMessage from "google-protobuf/google/protobuf/struct_pb";

/** The parts of gRPC and of Pulumi's protocol that a provider needs. They come with the program's own `@pulumi/pulumi`. */
export interface Protocol {
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

/** The message in which gRPC carries structured errors. Pulumi's package has no types for it. */
type StatusClass = new () => {
  setCode(code: number): void;
  setMessage(message: string): void;
  addDetails(details: AnyMessage.Any): void;
  serializeBinary(): Uint8Array;
};

/** The SDK is not installed beside this package, nor for the program. */
export class MissingSdkError extends Error {}

/**
 * Loads the protocol from the `@pulumi/pulumi` beside this package, else from the program's: a linked package has none beside it. What
 * that package depends on itself is loaded from where it is, since package managers need not hoist it.
 *
 * @throws MissingSdkError
 */
export function loadProtocol(programFolder: string = process.cwd()): Protocol {
  const sdk = createRequire(join(sdkFolder(programFolder), "_.js"));
  // What Pulumi's package and its dependencies hold.
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

function sdkFolder(programFolder: string): string {
  for (const from of [__filename, join(programFolder, "_.js")]) {
    try {
      return dirname(createRequire(from).resolve("@pulumi/pulumi/package.json"));
    } catch {
      // Not there: the next place.
    }
  }
  throw new MissingSdkError(
    `The Pulumi SDK (@pulumi/pulumi) is installed neither beside the endpoint-monitoring plugin nor in ${programFolder}. ` +
      "Run npm install there.",
  );
}
