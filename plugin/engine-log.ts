import type { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { PluginProtocol } from "./protocol";
import { RefusedRequestError } from "./token";

/** Prints lines to the engine's diagnostics and to the Info column of a resource. Prints nothing if no engine is attached. */
export class EngineLog {
  #client: EngineClient | undefined;
  #address: string | undefined;

  constructor(private readonly protocol: PluginProtocol) {}

  /** The engine's address as `host:port`; undefined if no engine is attached. */
  get address(): string | undefined {
    return this.#address;
  }

  /**
   * Attaches an engine, which receives all later lines. @param address `host:port` @throws RefusedRequestError for any other
   * text
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

  /** Prints a line. @param urn resource of the line; empty for the whole operation */
  print(line: string, urn = "", severity: "INFO" | "WARNING" = "INFO"): Promise<void> {
    return this.#log(severity, line, urn);
  }

  /** Prints a warning about the whole operation. */
  warn(line: string): Promise<void> {
    return this.#log("WARNING", line, "");
  }

  /** Resolves when the engine has the line, since the engine may end without waiting for lines. */
  async #log(severity: "INFO" | "WARNING", line: string, urn: string): Promise<void> {
    const client = this.#client;
    if (!client) return;
    const request = new this.protocol.engine.LogRequest();
    request.setSeverity(this.protocol.engine.LogSeverity[severity]);
    request.setMessage(line);
    request.setUrn(urn);
    // The operation must not fail because a line was lost.
    await new Promise<void>((resolve) => client.log(request, () => resolve())).catch(() => undefined);
  }
}
