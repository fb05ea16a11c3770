import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type LookupFunction, type Socket } from "node:net";
import { buildConnector } from "undici";
import { ConnectionError } from "../../api";
import { connectorOf } from "../../api/connector";
import { failureOf } from "../../api/http-failure";
import { calls } from "../support/api/calls";
import { bench, failureOf as errorOf } from "../support/api/service";

const { connect: client } = bench();

/** Listens on an address with room for few pending connections. */
const listener = `require("net").createServer().listen({host: process.argv[1], port: 0, backlog: 1}, function () { console.log(this.address().port) })`;

/** Opens a connection to a host with these addresses, in order. */
function open(addresses: readonly string[], port: number, timeoutMs: number): Promise<Socket> {
  const lookup: LookupFunction = (_host, _options, done) =>
    setImmediate(() =>
      done(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      ),
    );
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  connectorOf(
    buildConnector,
    timeoutMs,
    lookup,
  )({ hostname: "far.example", protocol: "http:", port: String(port) }, (error, socket) =>
    error ? reject(error) : resolve(socket),
  );
  return promise;
}

/**
 * Fills the queue of a listener that accepts nothing, so that the system drops the next connection and retries it after a
 * second.
 */
async function withFullListener(work: (port: number, child: ReturnType<typeof spawn>) => Promise<void>): Promise<void> {
  const child = spawn(process.execPath, ["-e", listener, "127.0.0.1"], { stdio: ["ignore", "pipe", "inherit"] });
  const fillers: Socket[] = [];
  try {
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const port = Number(line.toString());
    child.kill("SIGSTOP");
    for (let i = 0; i < 4; i += 1) fillers.push(connect(port, "127.0.0.1").on("error", () => undefined));
    await new Promise((resolve) => setTimeout(resolve, 200));
    await work(port, child);
  } finally {
    for (const filler of fillers) filler.destroy();
    child.kill("SIGKILL");
  }
}

test("the client connects to a slow address if another address of the host is unreachable", async () => {
  await withFullListener(async (port, child) => {
    const opened = open(["127.0.0.1", "127.0.0.2"], port, 10_000);
    setTimeout(() => child.kill("SIGCONT"), 500);
    const socket = await opened;
    expect(socket.remoteAddress).toBe("127.0.0.1");
    socket.destroy();
  });
});

test("the client lists all addresses of a host if no address answers in time", async () => {
  await withFullListener(async (port) => {
    // Errors of Node belong to another realm than the test.
    const error: unknown = await open(["127.0.0.1", "127.0.0.2", "127.0.0.3"], port, 400).catch((reason: unknown) => reason);
    expect(failureOf(error, undefined, false)).toMatchObject({
      phase: "connect",
      mayPass: true,
      reason: `no connection in time (tried 127.0.0.1:${port}, 127.0.0.2:${port}, 127.0.0.3:${port})`,
    });
    expect(failureOf(error, "http://proxy.example.com:3128", false).reason).toContain(
      `the proxy http://proxy.example.com:3128 cannot be reached: no connection in time (tried 127.0.0.1:${port}, `,
    );
  });
});

test("the message about a failed request lists the host's addresses", async () => {
  const error = await errorOf(ConnectionError, calls.POST(client({ url: "http://localhost:9" })));
  expect(error.message).toMatch(/ \(tried ((127\.0\.0\.1|\[::1\]):9(, )?)+\)\. /);
});
