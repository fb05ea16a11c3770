import { Transactions } from "./transactions";
import { openDatabase } from "./database";

export interface StoreRow<T> {
  readonly id: string;
  /** Account group of the object. */
  readonly aid: string;
  readonly sequence: number;
  readonly body: T;
}

/** Returns the names of the members that every `T` has. The compiler refuses an incomplete list of names. */
export function membersOf<T>(members: { readonly [K in keyof T as undefined extends T[K] ? never : K]-?: true }): string[] {
  return Object.keys(members);
}

/** A type of stored record, with the rules for its ids. */
export interface Collection<T> {
  readonly name: string;
  /** Name of the id series. Two collections with the same id series never contain the same id. */
  readonly series: string;
  readonly firstId: number;
  /**
   * Returns the id for a number in the series.
   *
   * @defaultValue the number as a string
   */
  readonly idOf?: (number: number) => string;
  /** Names of a record's required members. The control API refuses to delete these members. */
  readonly needs?: readonly string[];
  /** Member that never has a value, because only the compiler uses its type. */
  readonly holds?: T;
}

interface RawRow {
  id: string;
  aid: string;
  sequence: number;
  body: string;
}

const columns = "id, aid, sequence, body";

/**
 * Stores the records of all areas of the API in one table, so a new area does not need a new table.
 *
 * A client gets its response only after `committed` resolves.
 */
export class Store {
  readonly #transactions: Transactions;
  readonly #watchers = new Map<string, Set<(id?: string) => void>>();

  /** @throws EmulatorError if the file is in use, damaged, from a newer version, or not a store of this emulator */
  constructor(file?: string) {
    this.#transactions = new Transactions(openDatabase(file), file !== undefined, () => this.#allChanged());
  }

  /** Stores a new object under the next id of the collection's series. */
  insert<T>(collection: Collection<T>, aid: string, make: (id: string, number: number) => T): StoreRow<T> {
    return this.together(() => {
      const number = this.#next(collection);
      const id = collection.idOf?.(number) ?? String(number);
      const body = make(id, number);
      const { lastInsertRowid } = this.#transactions
        .statement("INSERT INTO records (collection, id, aid, body) VALUES (?, ?, ?, ?)")
        .run(collection.name, id, aid, JSON.stringify(body));
      this.#changed(collection.name, id);
      return { id, aid, sequence: Number(lastInsertRowid), body };
    });
  }

  /** Stores an object under its own id. If the id exists, the method replaces the account group and the body of the object. */
  put<T>(collection: Collection<T>, id: string, aid: string, body: T): void {
    this.#transactions.begin();
    this.#transactions
      .statement(
        `INSERT INTO records (collection, id, aid, body) VALUES (?, ?, ?, ?)
       ON CONFLICT (collection, id) DO UPDATE SET aid = excluded.aid, body = excluded.body`,
      )
      .run(collection.name, id, aid, JSON.stringify(body));
    this.#changed(collection.name, id);
  }

  /** Makes several changes together. If one change fails, the store undoes all changes. */
  together<T>(change: () => T): T {
    return this.#transactions.together(change);
  }

  /** Resolves when all earlier changes would survive a power failure. Rejects if the changes could not be written to the data file. */
  committed(): Promise<void> {
    return this.#transactions.committed();
  }

  /** @param changed function that is called after each change with the object's id. The id is undefined if any object may have changed */
  watch(name: string, changed: (id?: string) => void): void {
    const watchers = this.#watchers.get(name) ?? new Set();
    this.#watchers.set(name, watchers.add(changed));
  }

  get<T>(collection: Collection<T>, id: string, aid?: string): StoreRow<T> | undefined {
    const row = this.#transactions
      .statement(`SELECT ${columns} FROM records WHERE collection = ? AND id = ?`)
      .get(collection.name, id);
    const record = row && parse<T>(row);
    return record && (aid === undefined || record.aid === aid) ? record : undefined;
  }

  /** @param after sequence number after which the list starts */
  list<T>(collection: Collection<T>, aid: string, { after = 0, limit = -1 } = {}): StoreRow<T>[] {
    return this.#transactions
      .statement(`SELECT ${columns} FROM records WHERE collection = ? AND aid = ? AND sequence > ? ORDER BY sequence LIMIT ?`)
      .all(collection.name, aid, after, limit)
      .map((row) => parse<T>(row));
  }

  /** Returns the objects of all account groups in the order of creation. */
  all<T>(collection: Collection<T>): StoreRow<T>[] {
    return this.#transactions
      .statement(`SELECT ${columns} FROM records WHERE collection = ? ORDER BY sequence`)
      .all(collection.name)
      .map((row) => parse<T>(row));
  }

  /** Returns objects of a collection, the newest object first. */
  newest<T>(collection: Collection<T>, limit: number): StoreRow<T>[] {
    return this.#transactions
      .statement(`SELECT ${columns} FROM records WHERE collection = ? ORDER BY sequence DESC LIMIT ?`)
      .all(collection.name, limit)
      .map((row) => parse<T>(row));
  }

  /** Deletes all objects of a collection except the newest objects. */
  trim(collection: Collection<unknown>, kept: number): void {
    this.#transactions.begin();
    this.#transactions
      .statement(
        `DELETE FROM records WHERE collection = ?1 AND sequence <=
         (SELECT sequence FROM records WHERE collection = ?1 ORDER BY sequence DESC LIMIT 1 OFFSET ?2)`,
      )
      .run(collection.name, kept);
  }

  ids(name: string): { id: string; aid: string }[] {
    return this.#transactions
      .statement("SELECT id, aid FROM records WHERE collection = ? ORDER BY sequence")
      .all(name)
      .map((row) => ({ id: String(row["id"]), aid: String(row["aid"]) }));
  }

  replace<T>(collection: Collection<T>, id: string, body: T): void {
    this.#transactions.begin();
    this.#transactions
      .statement("UPDATE records SET body = ? WHERE collection = ? AND id = ?")
      .run(JSON.stringify(body), collection.name, id);
    this.#changed(collection.name, id);
  }

  /** @returns whether the object existed */
  delete(collection: Collection<unknown>, id: string, aid: string): boolean {
    this.#transactions.begin();
    const { changes } = this.#transactions
      .statement("DELETE FROM records WHERE collection = ? AND id = ? AND aid = ?")
      .run(collection.name, id, aid);
    this.#changed(collection.name, id);
    return Number(changes) > 0;
  }

  /** Empties the store. Ids start again. */
  clear(): void {
    this.together(() => this.#transactions.exec("DELETE FROM records; DELETE FROM series; DELETE FROM sqlite_sequence"));
    this.#allChanged();
  }

  /**
   * Continues a series of ids after a number, so that new ids do not conflict with the ids of copied records. If the series already has a
   * larger number, the method changes nothing.
   */
  goOnBehind({ series }: Collection<unknown>, number: number): void {
    this.#transactions
      .statement("INSERT INTO series (name, last) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET last = max(last, ?2)")
      .run(series, number);
  }

  /** @returns a function that restores the current content */
  remember(): () => void {
    const tables = ["records", "series"].map((table) => ({
      table,
      rows: this.#transactions.statement(`SELECT * FROM ${table}`).all(),
    }));
    return () => {
      this.together(() => {
        for (const { table, rows } of tables) {
          this.#transactions.exec(`DELETE FROM ${table}`);
          for (const row of rows) {
            const names = Object.keys(row);
            this.#transactions
              .statement(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`)
              .run(...Object.values(row));
          }
        }
      });
      this.#allChanged();
    };
  }

  close(): void {
    this.#transactions.close();
  }

  #next({ series, firstId }: Collection<unknown>): number {
    const row = this.#transactions
      .statement(
        "INSERT INTO series (name, last) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET last = last + 1 RETURNING last",
      )
      .get(series, firstId);
    return Number(row?.["last"]);
  }

  #changed(name: string, id: string): void {
    for (const changed of this.#watchers.get(name) ?? []) changed(id);
  }

  #allChanged(): void {
    for (const watchers of this.#watchers.values()) for (const changed of watchers) changed();
  }
}

/** The casts are safe, because the database contains only the store's own tables. */
function parse<T>(row: object): StoreRow<T> {
  const { body, ...rest } = row as RawRow;
  return { ...rest, body: JSON.parse(body) as T };
}
