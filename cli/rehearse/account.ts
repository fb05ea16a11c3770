import {
  agentExpands,
  type AccountGroup,
  type Answer,
  type Client,
  ForbiddenError,
  largePages,
  NotFoundError,
  type Operation,
  operations,
} from "../../api";
import type { TwinSource } from "../../emulator/twin/start";
import type { CopiedList, CopiedLists } from "../../emulator/twin/restore";
import { References } from "../../provider/references/references";
import type { Session } from "../../provider/session";

/** A client that sends reads alone: anything else is a bug of the rehearsal, and goes nowhere. */
export function readOnly(client: Client): Client {
  const areas = Object.entries<Record<string, Operation>>(operations).map(([area, calls]) => {
    // Made from the same table as the client.
    const own = (client as unknown as Record<string, Record<string, unknown>>)[area] ?? {};
    const kept = Object.entries(calls).map(([name, { writes, id }]) => [name, writes ? () => refuse(id) : own[name]]);
    return [area, Object.fromEntries(kept)];
  });
  return { ...(Object.fromEntries(areas) as Client), close: () => client.close() };
}

function refuse(operation: string): never {
  throw new Error(`A rehearsal sends no ${operation} to the service.`);
}

/** Reads the account for a rehearsal. */
export class Account implements TwinSource {
  /** Records and agents that were read. */
  records = 0;
  agents = 0;
  readonly references: References;

  private constructor(
    readonly client: Client,
    readonly accountGroups: TwinSource["accountGroups"],
    readonly hidesAccountGroups: boolean,
  ) {
    this.references = new References(client);
  }

  /** @throws EndpointMonitoringError */
  static async of({ client, settings }: Session): Promise<Account> {
    try {
      const { accountGroups } = await client.accountGroups.list();
      const [first, ...others] = accountGroups.toSorted((a, b) => rank(a) - rank(b));
      if (first) return new Account(client, [first, ...others], false);
    } catch (error) {
      // A role without the permission to list account groups works in its own group, whose id is unknown.
      if (!(error instanceof ForbiddenError || (error instanceof NotFoundError && error.fromService))) throw error;
    }
    return new Account(client, [{ aid: settings.accountGroupId ?? "" }], true);
  }

  async read(accountGroupId: string): Promise<CopiedLists> {
    const { client } = this;
    const query = accountGroupId === "" ? {} : { aid: accountGroupId };
    const tests = (area: "agentToServerTests" | "httpServerTests" | "dynamicTests") =>
      listed(async () => this.#counted((await client[area].list({ query })).tests));
    const [agents, labels, tags, agentToServerTests, httpServerTests, dynamicTests] = await Promise.all([
      listed(async () => {
        const found = await all(
          largePages(client.agents.list, { query: { ...query, expand: [...agentExpands] } }),
          (page) => page.agents,
        );
        this.agents += found.length;
        return found;
      }),
      listed(async () => {
        const request = { query: { ...query, expand: ["filters" as const] } };
        return this.#counted(await all(largePages(client.labels.list, request), (page) => page.labels));
      }),
      listed(async () => {
        const { tags: found } = await client.tags.list({ query: { ...query, expand: ["assignments" as const] } });
        return this.#counted(found.filter(({ builtIn }) => builtIn !== true));
      }),
      tests("agentToServerTests"),
      tests("httpServerTests"),
      tests("dynamicTests"),
    ]);
    return { agents, labels, tags, agentToServerTests, httpServerTests, dynamicTests };
  }

  #counted<R>(records: R[]): R[] {
    this.records += records.length;
    return records;
  }
}

/** Notes facts from the service's answers while an account is read. */
export class Answers {
  count = 0;
  /** Requests that a minute allows. */
  limit: number | undefined;

  /** @param ownAccount whether the answer is of the stack's own account */
  note({ limits: { organization } }: Answer, ownAccount = true): void {
    this.count += 1;
    if (ownAccount) this.limit = organization?.limit ?? this.limit;
  }
}

/** The account group that the token works in comes first. */
function rank({ isCurrentAccountGroup, isDefaultAccountGroup }: AccountGroup): number {
  return isCurrentAccountGroup ? 0 : isDefaultAccountGroup ? 1 : 2;
}

async function listed<R>(read: () => Promise<R[]>): Promise<CopiedList<R>> {
  try {
    return { records: await read() };
  } catch (error) {
    if (error instanceof ForbiddenError) return { refused: error.message };
    throw error;
  }
}

async function all<P, R>(pages: AsyncIterable<P>, recordsOf: (page: P) => R[]): Promise<R[]> {
  const records: R[] = [];
  for await (const page of pages) records.push(...recordsOf(page));
  return records;
}
