import type { DatabaseSync, StatementSync } from "node:sqlite";

/** A group of changes that are committed to the data file together. */
interface TransactionGroup {
  readonly committed: Promise<void>;
  readonly settle: (error?: unknown) => void;
}

/**
 * Manages a database's statements and transactions.
 *
 * Without a data file, a change is committed when its method returns. With a data file, a commit waits for the disk. To save time, all
 * changes in one turn of the event loop share a commit.
 */
export class Transactions {
  readonly #statements = new Map<string, StatementSync>();
  #inTransaction = false;
  #group: TransactionGroup | undefined;

  /** @param rolledBack function that is called after changes were undone */
  constructor(
    private readonly database: DatabaseSync,
    private readonly inFile: boolean,
    private readonly rolledBack: () => void,
  ) {}

  /** Returns a prepared statement. The class prepares each statement only once. */
  statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  exec(sql: string): void {
    this.database.exec(sql);
  }

  /** Makes several changes together. If one change fails, all changes are undone. */
  together<T>(change: () => T): T {
    return this.#inTransaction ? change() : this.#transaction(change);
  }

  /** Resolves when all earlier changes would survive a power failure. Rejects if the changes could not be written to the data file. */
  async committed(): Promise<void> {
    await this.#group?.committed;
  }

  /** Begins the shared transaction of all changes in this turn of the event loop. */
  begin(): void {
    if (!this.inFile || this.#group) return;
    this.statement("BEGIN IMMEDIATE").run();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // All waiting callers receive the failure. If no caller waits, this handler prevents an unhandled rejection.
    promise.catch(() => undefined);
    this.#group = { committed: promise, settle: (error) => (error === undefined ? resolve() : reject(error)) };
    setImmediate(() => this.#commit());
  }

  close(): void {
    this.#commit();
    this.#statements.clear();
    this.database.close();
  }

  #transaction<T>(change: () => T): T {
    this.begin();
    // Within a shared transaction, each change has its own savepoint.
    const [begin, commit, rollback] = this.inFile
      ? ["SAVEPOINT change", "RELEASE change", "ROLLBACK TO change; RELEASE change"]
      : ["BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"];
    this.statement(begin).run();
    this.#inTransaction = true;
    try {
      const result = change();
      this.statement(commit).run();
      return result;
    } catch (error) {
      this.database.exec(rollback);
      this.rolledBack();
      throw error;
    } finally {
      this.#inTransaction = false;
    }
  }

  #commit(): void {
    const group = this.#group;
    if (!group) return;
    this.#group = undefined;
    try {
      this.statement("COMMIT").run();
      group.settle();
    } catch (error) {
      if (this.database.isTransaction) this.database.exec("ROLLBACK");
      this.rolledBack();
      group.settle(error);
    }
  }
}
