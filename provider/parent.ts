import { connect } from "node:http2";

/** Milliseconds between two checks whether the parent process has ended. */
const parentPollIntervalMs = 250;
/** Milliseconds after which a lost connection to the engine is tried once more. */
const reconnectDelayMs = 100;
let watching = false;

/**
 * Ends this process when the engine that started it has ended. A killed engine leaves its providers running, and a provider
 * would finish a create that nothing records. The parent process may be a shell script of the official host, which outlives the
 * engine. So this function watches the engine itself, at the address in the arguments.
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

/** Returns the engine's address, `host:port`, from the arguments of a provider, or undefined. */
export function engineAddress(args: readonly string[]): string | undefined {
  return args.find((argument) => /^(?:[\w.-]+|\[[\da-fA-F:]+\]):\d{1,5}$/.test(argument));
}

/**
 * Watches an engine through an open connection, which does not keep this process alive. The connection uses HTTP/2, since a
 * gRPC server closes any other. After the connection ends, one more attempt is made. An address that never answered does not
 * belong to an engine.
 *
 * @param end called once when the engine has ended
 */
export function watchEngine(address: string, end: () => void): void {
  let isRetry = false;
  let wasConnected = false;
  const open = (): void => {
    // Every error is followed by a close event, which handles it.
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
