import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** A port of this machine that leads to another one, and that can refuse. */
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
    await relay.accept();
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

  /** Takes connections again, on the same port. */
  async accept(): Promise<void> {
    this.refusesAt = undefined;
    if (this.#server.listening) return;
    await new Promise<void>((resolve) => this.#server.listen(this.#port, "127.0.0.1", resolve));
    // A listening TCP server has an address.
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  #join(socket: Socket): void {
    const other = connect(this.target, "127.0.0.1");
    for (const [one, partner] of [
      [socket, other],
      [other, socket],
    ] as const) {
      this.#sockets.add(one);
      one.on("error", () => undefined).on("close", () => {
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
