import { appendFileSync } from "node:fs";
import { isNativeError } from "node:util/types";
import { ConfigurationError } from "./errors";

/** What is logged: `info` waits, repeats and failures, `debug` each request, too. */
export type LogLevel = "info" | "debug";

/** One thing that happened to a request: never a body, a header or a query, so nothing secret. */
export interface LogEntry {
  level: LogLevel;
  /** Operation that was called, such as `labels.list`. */
  operation: string;
  method: string;
  /** Path of the request, without its query. */
  path: string;
  /** What happened: an answer with its status, or the reason why there is none, or why it waits. */
  event: string;
  /** Milliseconds that the request took, or that it is to wait. */
  ms?: number;
  /** The service's identifier of the request. */
  requestId?: string;
  /** Which attempt it was, from 1. */
  attempt?: number;
}

export type Log = (entry: LogEntry) => void;

/** Where to log, and how much. */
export interface LogOptions {
  level: LogLevel;
  /** Path of a file to append to; standard error of the process where there is none. */
  file?: string;
}

/**
 * Reads `ENDPOINT_MONITORING_LOG` and `ENDPOINT_MONITORING_LOG_FILE`.
 *
 * @returns nothing where no log is asked for
 * @throws ConfigurationError for a level that there is not
 */
export function logOptionsOf(env: NodeJS.ProcessEnv): LogOptions | undefined {
  const level = env["ENDPOINT_MONITORING_LOG"] || undefined;
  if (level === undefined) return undefined;
  if (level !== "info" && level !== "debug") throw new ConfigurationError("ENDPOINT_MONITORING_LOG must be info or debug.");
  return { level, file: env["ENDPOINT_MONITORING_LOG_FILE"] || undefined };
}

/** Writes what is asked for, a line an entry. That a file cannot be written is told once, and costs no request. */
export function logTo({ level, file }: LogOptions): Log {
  let told = false;
  const toStandardError = (line: string): void => void process.stderr.write(line);
  return (entry) => {
    if (entry.level === "debug" && level === "info") return;
    const line = lineOf(entry);
    if (file === undefined) return toStandardError(line);
    try {
      appendFileSync(file, line, { mode: 0o600 });
    } catch (error) {
      if (!told)
        toStandardError(
          `ENDPOINT_MONITORING_LOG_FILE cannot be written: ${isNativeError(error) ? error.message : String(error)}\n`,
        );
      told = true;
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
