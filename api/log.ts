import { appendFileSync } from "node:fs";
import { isNativeError } from "node:util/types";
import { ConfigurationError } from "./errors";

/** The level `info` logs waits, retries and failures. The level `debug` also logs each request. */
export type LogLevel = "info" | "debug";

/** A log entry about a request. Log entries contain no secrets, because they omit bodies, headers and queries. */
export interface LogEntry {
  level: LogLevel;
  /** Name of the called operation, such as `labels.list`. */
  operation: string;
  method: string;
  /** Path of the request without the query. */
  path: string;
  /** Status of the response, or the reason for a wait or a missing response. */
  event: string;
  /** Duration of the request or of the wait, in ms. */
  ms?: number;
  /** The service's id of the request. */
  requestId?: string;
  /** Number of the attempt, counted from 1. */
  attempt?: number;
}

export type Log = (entry: LogEntry) => void;

/** Level and target of a log. */
export interface LogOptions {
  level: LogLevel;
  /** Path of the file that receives the log entries. Default: standard error. */
  file?: string;
}

/**
 * Reads `ENDPOINT_MONITORING_LOG` and `ENDPOINT_MONITORING_LOG_FILE`.
 *
 * @returns undefined if `ENDPOINT_MONITORING_LOG` is not set
 * @throws ConfigurationError for an unknown log level
 */
export function logOptionsOf(env: NodeJS.ProcessEnv): LogOptions | undefined {
  const level = env["ENDPOINT_MONITORING_LOG"] || undefined;
  if (level === undefined) return undefined;
  if (level !== "info" && level !== "debug") throw new ConfigurationError("ENDPOINT_MONITORING_LOG must be info or debug.");
  return { level, file: env["ENDPOINT_MONITORING_LOG_FILE"] || undefined };
}

/**
 * Creates a log with one line for each entry. If the file cannot be written, the log prints one warning, and requests continue.
 */
export function logTo({ level, file }: LogOptions): Log {
  let reported = false;
  const toStandardError = (line: string): void => void process.stderr.write(line);
  return (entry) => {
    if (entry.level === "debug" && level === "info") return;
    const line = lineOf(entry);
    if (file === undefined) return toStandardError(line);
    try {
      appendFileSync(file, line, { mode: 0o600 });
    } catch (error) {
      if (!reported)
        toStandardError(
          `ENDPOINT_MONITORING_LOG_FILE cannot be written: ${isNativeError(error) ? error.message : String(error)}\n`,
        );
      reported = true;
    }
  };
}

function lineOf({ level, operation, method, path, event, ms, requestId, attempt }: LogEntry): string {
  const parts = [
    new Date().toISOString(),
    `endpoint-monitoring[${process.pid}]`,
    level,
    operation,
    method,
    path,
    event,
    ms !== undefined && `${Math.round(ms)} ms`,
    requestId && `request ${requestId}`,
    attempt !== undefined && attempt > 1 && `attempt ${attempt}`,
  ];
  return `${parts
    .filter(Boolean)
    .join(" ")
    .replaceAll(/\p{Cc}/gu, " ")}\n`;
}
