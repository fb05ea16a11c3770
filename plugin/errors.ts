import type { ServiceError } from "@grpc/grpc-js";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { EndpointMonitoringError } from "../api";
import type { ErrorReporter } from "../provider/error-reporter";
import type { PartialFailure } from "../provider/failures";
import type { PluginProtocol } from "./protocol";
import { RefusedRequestError } from "./token";

/** Error for an operation that partially succeeded. The engine stores the operation's outputs in the state. */
export class PartialError extends Error {
  constructor(
    readonly failure: PartialFailure,
    readonly outputs: Struct,
  ) {
    super(failure.message, { cause: failure });
  }
}

interface ErrorContext {
  protocol: PluginProtocol;
  reporter: ErrorReporter;
  resource: string;
  redact: (text: string) => string;
}

/**
 * Converts an error to a gRPC status. The message contains a stack trace only if the error is a bug in this package.
 *
 * @param redact function that masks the request's secrets in a message
 */
export function statusOf(error: unknown, { protocol, reporter, resource, redact }: ErrorContext): Partial<ServiceError> {
  const { grpc } = protocol;
  const cause = error instanceof PartialError ? error.failure : error;
  if (cause instanceof RefusedRequestError)
    return { code: grpc.status.INVALID_ARGUMENT, details: headerText(redact(cause.message)) };
  const message =
    reporter.messageFor(cause, resource) ?? (cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
  const details = headerText(redact(message));
  const metadata = new grpc.Metadata();
  if (error instanceof PartialError) metadata.add("grpc-status-details-bin", partialDetails(error, details, protocol, redact));
  const code = cause instanceof EndpointMonitoringError ? grpc.status.FAILED_PRECONDITION : grpc.status.UNKNOWN;
  return { code: error instanceof PartialError ? grpc.status.UNKNOWN : code, details, metadata };
}

/**
 * Shortens a message so that it fits into a gRPC header. Each byte of the message takes up to three bytes in the header, and gRPC clients
 * accept headers of up to 64 KiB.
 */
function headerText(text: string, most = 16_000): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  return `${new TextDecoder().decode(bytes.subarray(0, most), { stream: true })}… (${bytes.length} bytes)`;
}

/** Returns the error details that make the engine store the resource in the state and print the reasons for the failure. */
function partialDetails(
  { failure, outputs }: PartialError,
  message: string,
  protocol: PluginProtocol,
  redact: ErrorContext["redact"],
): Buffer {
  const failed = new protocol.messages.ErrorResourceInitFailed();
  failed.setId(failure.id);
  failed.setProperties(outputs);
  failed.setReasonsList(failure.reasons.map(redact));
  const packed = new protocol.Any();
  packed.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const status = new protocol.Status();
  status.setCode(protocol.grpc.status.UNKNOWN);
  status.setMessage(message);
  status.addDetails(packed);
  return Buffer.from(status.serializeBinary());
}
