/**
 * Shows the progress of work that takes minutes. On a terminal, the progress rewrites one line. In CI and in files, a new line
 * appears regularly to show that the work continues.
 */

/** @typedef {((line: string) => void) & { live?: (text: string) => void }} Log Writes a line. `live` rewrites the last line. */

const PLAIN_EVERY = 10_000;
const LIVE_EVERY = 500;

/**
 * Returns a log that writes to a stream.
 * @param {NodeJS.WriteStream} stream
 * @returns {Log}
 */
export function logTo(stream) {
  if (!stream.isTTY) return (line) => void stream.write(`${line}\n`);
  const clear = "\r\x1b[K";
  return Object.assign((line) => void stream.write(`${clear}${line}\n`), {
    live: (text) => void stream.write(clear + text.slice(0, (stream.columns ?? 80) - 1)),
  });
}

/**
 * Shows the text from `describe` until `work` ends.
 * @template T
 * @param {Log} log
 * @param {() => string} describe
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress(log, describe, work) {
  const start = Date.now();
  const show = log.live ?? log;
  const text = () => `${describe()}, ${Math.round((Date.now() - start) / 1000)} s`;
  const timer = setInterval(() => show(text()), log.live ? LIVE_EVERY : PLAIN_EVERY);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    log.live?.("");
  }
}
