import type { sendUnaryData, Server, ServerUnaryCall, ServerWritableStream, UntypedServiceImplementation } from "@grpc/grpc-js";
import type { ListRequest, ListResponse } from "@pulumi/pulumi/proto/provider_pb";
import { redactor } from "../api/redact";
import { ErrorReporter } from "../provider/error-reporter";
import { descriptionOf } from "../provider/wording";
import { EngineLog } from "./engine-log";
import { statusOf } from "./errors";
import type { PluginProtocol } from "./protocol";
import { NativeProvider } from "./provider";
import { describeResource, secretsIn } from "./request-parts";

/** Maximum size of a gRPC message, in bytes. The engine has the same limit. */
const maxMessageBytes = 400 * 1024 * 1024;

export function createServer(protocol: PluginProtocol, engineAddress?: string): Server {
  const log = new EngineLog(protocol);
  if (engineAddress !== undefined) log.attach(engineAddress);
  const server = new protocol.grpc.Server({ "grpc.max_receive_message_length": maxMessageBytes });
  server.addService(protocol.service, methodsOf(new NativeProvider(protocol, log), protocol));
  return server;
}

function methodsOf(provider: NativeProvider, protocol: PluginProtocol): UntypedServiceImplementation {
  const reporter = new ErrorReporter();
  const statusFor = (error: unknown, request: object): ReturnType<typeof statusOf> => {
    const described = describeResource(request);
    const resource = described ? descriptionOf(described.kind, described.properties, described) : "provider";
    return statusOf(error, { protocol, reporter, resource, redact: redactor(secretsIn(request)) });
  };
  const unary =
    <Q extends object, S>(handler: (request: Q) => S | Promise<S>) =>
    ({ request }: ServerUnaryCall<Q, S>, answer: sendUnaryData<S>): void => {
      Promise.resolve(request)
        .then(handler)
        .then(
          (response) => answer(null, response),
          (error: unknown) => answer(statusFor(error, request)),
        );
    };
  const list = async (call: ServerWritableStream<ListRequest, ListResponse>): Promise<void> => {
    try {
      for (const response of await provider.list(call.request)) call.write(response);
      call.end();
    } catch (error) {
      // The library grpc-js ends a stream with an error status only after an `error` event.
      call.emit("error", statusFor(error, call.request));
    }
  };
  return {
    handshake: unary(provider.handshake.bind(provider)),
    attach: unary(provider.attach.bind(provider)),
    getPluginInfo: unary(provider.getPluginInfo.bind(provider)),
    getSchema: unary(provider.getSchema.bind(provider)),
    // The response contains no mapping, because `pulumi convert` cannot convert programs of other tools to this provider.
    getMapping: unary(() => new protocol.messages.GetMappingResponse()),
    checkConfig: unary(provider.checkConfig.bind(provider)),
    diffConfig: unary(provider.diffConfig.bind(provider)),
    configure: unary(provider.configure.bind(provider)),
    invoke: unary(provider.invoke.bind(provider)),
    check: unary(provider.check.bind(provider)),
    diff: unary(provider.diff.bind(provider)),
    create: unary(provider.create.bind(provider)),
    read: unary(provider.read.bind(provider)),
    update: unary(provider.update.bind(provider)),
    delete: unary(provider.delete.bind(provider)),
    list,
    cancel: unary(provider.cancel.bind(provider)),
  };
}
