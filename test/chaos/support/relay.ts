import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** A port of this machine that leads to another one, until it refuses. */
export class Relay {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #port = 0;
  /** What a request begins with at which the port starts to refuse. */
  refusesAt: RegExp | undefined;

  private constructor(private readonly target: number) {
    this.#server = createServer((socket) => this.#join(socket));
  }

  static async start(url: string): Promise<Relay> {
    const relay = new Relay(Number(new URL(url).port));
    await new Promise<void>((resolve) => relay.#server.listen(0, "127.0.0.1", resolve));
    // A listening TCP server has an address.
    relay.#port = (relay.#server.address() as AddressInfo).port;
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Refuses connections from now on, and resets those that there are. */
  refuse(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  #join(socket: Socket): void {
    const other = connect(this.target, "127.0.0.1");
    for (const [one, partner] of [
      [socket, other],
      [other, socket],
    ] as const) {
      this.#sockets.add(one);
      one
        .on("error", () => undefined)
        .on("close", () => {
          this.#sockets.delete(one);
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
