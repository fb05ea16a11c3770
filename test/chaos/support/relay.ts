import { randomInt } from "node:crypto";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/**
 * A port of this machine that forwards to another port, until it refuses connections. The system may reassign a refusing
 * port, so each relay has its own loopback address, which no emulator of another case uses.
 */
export class Relay {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  readonly #host = hostOf();
  #port = 0;
  /** The beginning of the request at which the port starts to refuse connections. */
  refusesAt: RegExp | undefined;

  private constructor(private readonly target: number) {
    this.#server = createServer((socket) => this.#join(socket));
  }

  static async start(url: string): Promise<Relay> {
    const relay = new Relay(Number(new URL(url).port));
    await new Promise<void>((resolve) => relay.#server.listen(0, relay.#host, resolve));
    // A listening TCP server has an address.
    relay.#port = (relay.#server.address() as AddressInfo).port;
    return relay;
  }

  get url(): string {
    return `http://${this.#host}:${this.#port}`;
  }

  /** Refuses connections from now on, and resets existing ones. */
  refuse(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  #join(socket: Socket): void {
    const other = connect(this.target, "127.0.0.1");
    for (const [end, partner] of [
      [socket, other],
      [other, socket],
    ] as const) {
      this.#sockets.add(end);
      end
        .on("error", () => undefined)
        .on("close", () => {
          this.#sockets.delete(end);
          partner.destroy();
        });
    }
    socket.on("data", (chunk) => {
      if (this.refusesAt?.test(chunk.toString("latin1"))) this.refuse();
      else other.write(chunk);
    });
    other.pipe(socket);
  }
}

/** Returns an address that no other process uses. Other systems than Linux only have 127.0.0.1. */
function hostOf(): string {
  if (process.platform !== "linux") return "127.0.0.1";
  return `127.${[randomInt(1, 256), randomInt(256), randomInt(1, 255)].join(".")}`;
}
