import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { EmulatorError } from "./errors";

/** The `application_id` that identifies the emulator's SQLite files: "ENDP". */
const applicationId = 0x454e4450;
/** Version of the tables (SQLite's `user_version`). */
const version = 1;

const schema = `
  CREATE TABLE records (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    collection TEXT NOT NULL,
    id TEXT NOT NULL,
    aid TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (collection, id)
  );
  CREATE TABLE series (name TEXT PRIMARY KEY, last INTEGER NOT NULL);
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${version};
`;

/** The emulator adds missing indexes to files from earlier releases, so a new index does not need a new version of the tables. */
const indexes = `
  CREATE INDEX IF NOT EXISTS records_by_account_group ON records (collection, aid, sequence);
  CREATE INDEX IF NOT EXISTS records_by_sequence ON records (collection, sequence);
`;

/** Only the owner may read the file, because records contain passwords. */
const ownerOnly = 0o600;

/**
 * Opens the database of a store. Until the database is closed, only this process can use it. If the emulator refuses a file, the file stays
 * unchanged.
 */
export function openDatabase(file?: string): DatabaseSync {
  const { DatabaseSync } = sqlite();
  if (file === undefined) {
    const database = new DatabaseSync(":memory:");
    database.exec(schema + indexes);
    return database;
  }
  let database: DatabaseSync | undefined;
  try {
    // SQLite would create a file that all users can read, so the emulator creates the file itself.
    closeSync(openSync(file, "a", ownerOnly));
    database = new DatabaseSync(file);
    // During all further checks, the lock keeps other processes out. SQLite releases the lock when this process ends.
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE");
    prepare(database, file);
    // An earlier release may have left files that other users can read.
    for (const path of [file, `${file}-wal`, `${file}-journal`]) if (existsSync(path)) chmodSync(path, ownerOnly);
    database.exec(indexes);
    database.exec("COMMIT");
    // Write-ahead logging needs only one write per commit. With `synchronous = FULL`, committed changes survive a power failure.
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof EmulatorError ? error : translate(error, file);
  }
}

function prepare(database: DatabaseSync, file: string): void {
  const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  const tables = Number(Object.values(database.prepare("SELECT count(*) FROM sqlite_schema").get() ?? {})[0]);
  if (tables === 0 && pragma("user_version") === 0) {
    database.exec(schema);
    return;
  }
  if (pragma("application_id") !== applicationId) {
    throw new EmulatorError("STORE_FOREIGN", `${file} is the database of another program. Use another file.`);
  }
  if (Number(pragma("user_version")) > version) {
    throw new EmulatorError(
      "STORE_NEWER",
      `A newer version of the emulator wrote ${file}. Use the newer version of the emulator, or use another file.`,
    );
  }
  if (pragma("quick_check(1)") !== "ok") throw corrupt(file);
}

/** Primary result codes of SQLite (https://sqlite.org/rescode.html). The lower byte of an extended result code is the primary code. */
const busy = 5;
const corruptCodes = new Set([11, 26]);

function translate(error: unknown, file: string): EmulatorError {
  const extended = typeof error === "object" && error !== null && "errcode" in error ? Number(error.errcode) : 0;
  const code = extended & 0xff;
  if (code === busy) {
    return new EmulatorError(
      "STORE_IN_USE",
      `${file} is in use by another emulator. Stop the other emulator, or use another file.`,
      {
        cause: error,
      },
    );
  }
  if (corruptCodes.has(code)) return corrupt(file, error);
  const reason = existsSync(file) ? "cannot be read and written" : "cannot be created: check that the folder exists";
  return new EmulatorError("STORE_UNREADABLE", `${file} ${reason}`, { cause: error });
}

function corrupt(file: string, cause?: unknown): EmulatorError {
  const message = `${file} is not an emulator store, or it is damaged. It was not changed. Use another file.`;
  return new EmulatorError("STORE_CORRUPT", message, { cause });
}

/** Loads `node:sqlite` without its experimental warning on Node 22, and shows all other warnings. */
function sqlite(): typeof import("node:sqlite") {
  const emit = process.emitWarning.bind(process);
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (String(warning).startsWith("SQLite is an experimental feature")) return;
    emit(...([warning, ...rest] as Parameters<typeof emit>));
  };
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emit;
  }
}
