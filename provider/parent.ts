import { connect } from "node:http2";

/** Milliseconds between consecutive checks for the end of the parent process. */
const parentPollIntervalMs = 250;
/** Milliseconds that this process waits before it reconnects to the engine. */
const reconnectDelayMs = 100;
let watching = false;

/**
 * Ends this process when its engine has ended. A killed engine leaves its provider processes running, and these processes would create
 * records that no state contains. The parent process may be a shell script that outlives the engine, so the function also watches a
 * connection to the engine.
 */
export function endWithEngine(): void {
  if (watching) return;
  watching = true;
  const end = (): never => process.exit(1);
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, parentPollIntervalMs).unref();
  const address = engineAddress(process.argv.slice(2));
  if (address !== undefined) watchEngine(address, end);
}

/** Returns the engine's address, `host:port`, from the arguments of a provider process. */
export function engineAddress(args: readonly string[]): string | undefined {
  return args.find((argument) => /^(?:[\w.-]+|\[[\da-fA-F:]+\]):\d{1,5}$/.test(argument));
}

/**
 * Watches an engine through an open connection. The connection uses HTTP/2, because a gRPC server closes connections with
 * other protocols. If the connection closes and a reconnection fails, the engine has ended.
 */
export function watchEngine(address: string, end: () => void): void {
  let isRetry = false;
  let wasConnected = false;
  const open = (): void => {
    // After each `error` event, Node emits a `close` event, so only the `close` listener reconnects.
    const connection = connect(`http://${address}`)
      .on("connect", () => {
        wasConnected = true;
        isRetry = false;
      })
      .on("error", () => undefined)
      .on("close", () => {
        if (!isRetry) setTimeout(open, reconnectDelayMs).unref();
        else if (wasConnected) end();
        isRetry = true;
      });
    connection.unref();
  };
  open();
}
