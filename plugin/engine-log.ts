import type { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { PluginProtocol } from "./protocol";
import { RefusedRequestError } from "./token";

/** Prints lines in the diagnostics of the engine's operation, and in the Info column of a resource. Without an engine it prints nothing. */
export class EngineLog {
  #client: EngineClient | undefined;
  #address: string | undefined;

  constructor(private readonly protocol: PluginProtocol) {}

  /** Address of the engine, `host:port`; undefined without one. */
  get address(): string | undefined {
    return this.#address;
  }

  /** Prints to an engine from now on. @param address `host:port` @throws RefusedRequestError for any other text */
  attach(address: string): void {
    let client: EngineClient;
    try {
      client = new this.protocol.EngineClient(address, this.protocol.grpc.credentials.createInsecure());
    } catch (error) {
      throw new RefusedRequestError(`"${address}" is no address of an engine: it must be host:port.`, { cause: error });
    }
    this.#client?.close();
    this.#client = client;
    this.#address = address;
  }

  /** Prints a line. @param urn resource to which it belongs; none for the operation as a whole */
  print(line: string, urn = "", severity: "INFO" | "WARNING" = "INFO"): Promise<void> {
    return this.#log(severity, line, urn);
  }

  /** Prints a warning about the operation as a whole. */
  warn(line: string): Promise<void> {
    return this.#log("WARNING", line, "");
  }

  /** Returns when the engine has the line, since the engine does not wait for lines before it ends. */
  async #log(severity: "INFO" | "WARNING", line: string, urn: string): Promise<void> {
    const client = this.#client;
    if (!client) return;
    const request = new this.protocol.engine.LogRequest();
    request.setSeverity(this.protocol.engine.LogSeverity[severity]);
    request.setMessage(line);
    request.setUrn(urn);
    // A line that does not arrive changes nothing of the operation.
    await new Promise<void>((resolve) => client.log(request, () => resolve())).catch(() => undefined);
  }
}
