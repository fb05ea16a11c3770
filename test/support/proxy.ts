import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Server as TcpServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer, type Server as TlsServer } from "node:tls";

/** A private authority with a certificate for a host, created by OpenSSL in its own folder. */
export class Authority {
  private constructor(
    private readonly folder: string,
    /** Path of the authority's certificate for NODE_EXTRA_CA_CERTS. */
    readonly file: string,
    readonly host: string,
  ) {}

  static make(host: string): Authority {
    const folder = mkdtempSync(join(tmpdir(), "endpoint-monitoring-authority-"));
    const openssl = (...args: string[]): void => void execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
    const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    openssl("req", "-x509", ...newKey, "-days", "2", "-subj", "/CN=Private authority", "-keyout", "ca.key", "-out", "ca.pem");
    openssl("req", ...newKey, "-subj", `/CN=${host}`, "-keyout", "host.key", "-out", "host.csr");
    writeFileSync(join(folder, "names"), `subjectAltName=DNS:${host}\n`);
    const signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names"];
    openssl("x509", "-req", "-in", "host.csr", "-out", "host.pem", ...signed);
    return new Authority(folder, join(folder, "ca.pem"), host);
  }

  get certificate(): string {
    return readFileSync(this.file, "utf8");
  }

  /** Starts a TLS server with this certificate that forwards connections to a port of this machine. */
  async terminate(port: number): Promise<Tunnel> {
    const [key, cert] = ["host.key", "host.pem"].map((name) => readFileSync(join(this.folder, name)));
    const server = createTlsServer({ key, cert }, (socket) => joinSockets(socket, connect(port, "127.0.0.1")));
    return new Tunnel(server).start();
  }

  /**
   * Starts the same server, which ends its first connections during the TLS handshake.
   *
   * @param times number of these connections
   */
  async terminateAfter(times: number, fault: "reset" | "close", port: number): Promise<Tunnel> {
    const tls = await this.terminate(port);
    let connections = 0;
    const server = createTcpServer((socket) => {
      connections += 1;
      if (connections <= times) breakAtNextBytes(socket, fault);
      else joinSockets(socket, connect(tls.port, "127.0.0.1"));
    });
    server.on("close", () => void tls.close());
    return new Tunnel(server).start();
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

function joinSockets(a: Socket, b: Socket): void {
  a.on("error", () => b.destroy()).on("close", () => b.destroy());
  b.on("error", () => a.destroy()).on("close", () => a.destroy());
  a.pipe(b).pipe(a);
}

/** A server on loopback that can be closed with all its connections. */
export class Tunnel {
  readonly #sockets = new Set<Socket>();

  constructor(private readonly server: Server | TlsServer | TcpServer) {
    server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => this.#sockets.delete(socket));
    });
  }

  async start(): Promise<this> {
    this.server.listen(0, "127.0.0.1");
    await once(this.server, "listening");
    return this;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.server.close();
    await once(this.server, "close");
  }
}

/**
 * A way in which a connection ends before a request can be sent: at its first bytes, or, for a tunnel, right after it was
 * opened, also with a response that is not TLS.
 */
export type Fault = "reset" | "close" | "tunnel reset" | "tunnel close" | "tunnel page";

export interface ProxyOptions {
  /** Ports of this machine by the `host:port` in a client's request. Only the proxy knows these hosts. */
  hosts: Record<string, number>;
  /** Required `user:password`. */
  credentials?: string;
  /** Status of its response instead of a tunnel. `silent` sends no response. */
  refuses?: number | "silent" | Fault;
  /** Number of connections that it rejects. @defaultValue all */
  times?: number;
  /** Rejects each connection of this number: with 3 the first, the fourth, the seventh. @defaultValue 1 */
  every?: number;
}

/** Ends a connection in one of the ways, at the next bytes that arrive. */
export function breakAtNextBytes(socket: Socket, fault: Fault): void {
  const page = "HTTP/1.1 403 Forbidden\r\ncontent-type: text/html\r\n\r\n<html>blocked</html>";
  socket
    .on("error", () => undefined)
    .once("data", () => {
      if (fault.endsWith("reset")) socket.resetAndDestroy();
      else socket.end(fault === "tunnel page" ? page : "");
    });
}

/** A real CONNECT proxy that records requests, as a proxy's log does. */
export class Proxy extends Tunnel {
  /** One line for each request: `CONNECT host:port 200`. */
  readonly log: string[];

  constructor({ hosts, credentials, refuses, times = Infinity, every = 1 }: ProxyOptions) {
    const log: string[] = [];
    const server = createServer((_request, response) => {
      log.push("a request that is no CONNECT");
      response.writeHead(400).end();
    });
    server.on("connect", (request, socket: Socket) => {
      socket.on("error", () => undefined);
      const asked = request.url ?? "";
      const credentialsSent = /^Basic (.+)$/.exec(request.headers["proxy-authorization"] ?? "")?.[1] ?? "";
      const port = hosts[asked];
      const isKnown = credentials === undefined || Buffer.from(credentialsSent, "base64").toString() === credentials;
      const status =
        (log.length < times && log.length % every === 0 && refuses) || (isKnown ? (port === undefined ? 502 : 200) : 407);
      log.push(`CONNECT ${asked} ${status}`);
      if (status === "silent") return;
      if (status === "reset") socket.resetAndDestroy();
      else if (status === "close") socket.end();
      else if (typeof status === "string") {
        breakAtNextBytes(socket, status);
        socket.write("HTTP/1.1 200 -\r\n\r\n");
      } else {
        socket.write(`HTTP/1.1 ${status} -\r\n\r\n`);
        if (status === 200 && port !== undefined) joinSockets(socket, connect(port, "127.0.0.1"));
        else socket.end();
      }
    });
    super(server);
    this.log = log;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }
}

export interface SocksOptions extends Pick<ProxyOptions, "hosts" | "credentials"> {
  /** Reply code to each request, or the proxy's action instead of its first response. */
  refuses?: number | "close" | "silent";
}

/** A real SOCKS5 proxy (RFC 1928, RFC 1929) that records requests. */
export class SocksProxy extends Tunnel {
  /** One line for each request: `host:port REPLY`. */
  readonly log: string[];

  constructor({ hosts, credentials, refuses }: SocksOptions) {
    const log: string[] = [];
    const serve = async (socket: Socket): Promise<void> => {
      const bytes = async (): Promise<Buffer> => ((await once(socket, "data")) as [Buffer])[0];
      const offered = [...(await bytes()).subarray(2)];
      if (refuses === "silent") return;
      if (refuses === "close") throw new Error("closed");
      const method = credentials === undefined ? 0 : offered.includes(2) ? 2 : 0xff;
      socket.write(Buffer.from([5, method]));
      if (method === 0xff) throw new Error("no method");
      if (method === 2) {
        const login = await bytes();
        const user = login.subarray(2, 2 + (login[1] ?? 0)).toString();
        const isKnown = `${user}:${login.subarray(3 + user.length).toString()}` === credentials;
        socket.write(Buffer.from([1, isKnown ? 0 : 1]));
        if (!isKnown) throw new Error("refused");
      }
      const request = await bytes();
      // A name, which a client sends if the proxy resolves it.
      const name = request[3] === 3 ? request.subarray(5, 5 + (request[4] ?? 0)).toString() : "an address";
      const asked = `${name}:${request.readUInt16BE(request.length - 2)}`;
      const port = hosts[asked];
      const reply = refuses ?? (port === undefined ? 4 : 0);
      log.push(`${asked} ${reply}`);
      socket.write(Buffer.from([5, reply, 0, 1, 0, 0, 0, 0, 0, 0]));
      if (reply === 0 && port !== undefined) joinSockets(socket, connect(port, "127.0.0.1"));
      else socket.end();
    };
    super(createTcpServer((socket) => void serve(socket).catch(() => socket.end())));
    this.log = log;
  }

  get url(): string {
    return `socks5://127.0.0.1:${this.port}`;
  }
}
