import { createRequire } from "node:module";
import { join } from "node:path";
import { isObject, type Properties, secretSignature, signatureKey, unknownValue } from "../../../provider/values";
import { replaceDeep } from "../../../engine/state";
import { UsageError } from "../../../common/errors";

/** A message in Pulumi's gRPC protocol, with getters and setters. */
export interface Message {
  [method: string]: (...args: unknown[]) => unknown;
}

/** Parts of gRPC and Pulumi's protocol, loaded from the program's copy of `@pulumi/pulumi`. */
export interface ProgramProtocol {
  readonly runner: string;
  readonly grpc: { Server: new (options: object) => GrpcServer; ServerCredentials: { createInsecure(): object } };
  readonly services: { readonly monitor: object; readonly engine: object };
  readonly messages: Record<string, new () => Message>;
  readonly Empty: new () => Message;
  readonly Struct: { fromJavaScript(value: Properties): Message };
}

interface GrpcServer {
  addService(service: object, methods: object): void;
  bindAsync(address: string, credentials: object, done: (error: Error | null, port: number) => void): void;
  forceShutdown(): void;
}

/**
 * Loads the protocol from the program's SDK.
 * @throws UsageError if the SDK is not installed
 */
export function loadProtocol(programFolder: string): ProgramProtocol {
  try {
    const program = createRequire(join(programFolder, "_.js"));
    const sdk = createRequire(program.resolve("@pulumi/pulumi/package.json"));
    // The casts add types to Pulumi's generated code, which has no types of its own.
    return {
      runner: program.resolve("@pulumi/pulumi/cmd/run"),
      grpc: sdk("@grpc/grpc-js") as ProgramProtocol["grpc"],
      services: {
        monitor: (sdk("./proto/resource_grpc_pb.js") as { ResourceMonitorService: object }).ResourceMonitorService,
        engine: (sdk("./proto/engine_grpc_pb.js") as { EngineService: object }).EngineService,
      },
      messages: { ...(sdk("./proto/resource_pb.js") as object), ...(sdk("./proto/engine_pb.js") as object) },
      Empty: (sdk("google-protobuf/google/protobuf/empty_pb.js") as { Empty: ProgramProtocol["Empty"] }).Empty,
      Struct: (sdk("google-protobuf/google/protobuf/struct_pb.js") as { Struct: ProgramProtocol["Struct"] }).Struct,
    };
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND")) throw error;
    throw new UsageError(
      `The Pulumi SDK (@pulumi/pulumi) is not installed for the program in ${programFolder}. Run \`npm install\` in the program's folder`,
      "work",
    );
  }
}

/** Removes the wrappers around secrets. The function replaces wrapped values that are not secrets, such as assets, with unknown values. */
export function unwrapped(value: unknown): unknown {
  return replaceDeep(value, (part) => {
    if (!isObject(part) || !(signatureKey in part)) return undefined;
    return [part[signatureKey] === secretSignature ? unwrapped(part["value"]) : unknownValue];
  });
}
