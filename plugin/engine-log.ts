import type { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { PluginProtocol } from "./protocol";
import { RefusedRequestError } from "./token";

/**
 * Sends lines to the engine. The engine shows the lines as diagnostics and in the Info column of a resource. Without a
 * connection to an engine, the log prints nothing.
 */
export class EngineLog {
  #client: EngineClient | undefined;
  #address: string | undefined;

  constructor(private readonly protocol: PluginProtocol) {}

  /** The engine's address as `host:port`, or undefined without a connection to an engine. */
  get address(): string | undefined {
    return this.#address;
  }

  /**
   * Connects to an engine. After `attach`, the log sends all lines to the connected engine.
   *
   * @throws RefusedRequestError for an invalid address
   */
  attach(address: string): void {
    let client: EngineClient;
    try {
      client = new this.protocol.EngineClient(address, this.protocol.grpc.credentials.createInsecure());
    } catch (error) {
      throw new RefusedRequestError(`"${address}" is not an engine address. Expected: host:port.`, { cause: error });
    }
    this.#client?.close();
    this.#client = client;
    this.#address = address;
  }

  /** @param urn URN of a resource, or an empty string for a line about the whole operation */
  print(line: string, urn = "", severity: "INFO" | "WARNING" = "INFO"): Promise<void> {
    return this.#log(severity, line, urn);
  }

  warn(line: string): Promise<void> {
    return this.#log("WARNING", line, "");
  }

  /**
   * Sends a line, and waits until the engine has received the line. Without the wait, the engine could exit before the line
   * arrives.
   */
  async #log(severity: "INFO" | "WARNING", line: string, urn: string): Promise<void> {
    const client = this.#client;
    if (!client) return;
    const request = new this.protocol.engine.LogRequest();
    request.setSeverity(this.protocol.engine.LogSeverity[severity]);
    request.setMessage(line);
    request.setUrn(urn);
    // Errors are ignored, because a lost log line must not make the operation fail.
    await new Promise<void>((resolve) => client.log(request, () => resolve())).catch(() => undefined);
  }
}
