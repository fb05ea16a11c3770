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
} from "../../../api";
import type { TwinSource } from "../../../emulator/twin/start";
import type { CopiedList, CopiedLists } from "../../../emulator/twin/restore";
import { References } from "../../../provider/references/references";
import type { Session } from "../../../provider/session";

/** Returns a client that throws an error for operations that write, because a rehearsal only reads. */
export function readOnly(client: Client): Client {
  const areas = Object.entries<Record<string, Operation>>(operations).map(([area, calls]) => {
    // The cast is safe, because the client has a member for each group of operations.
    const clientArea = (client as unknown as Record<string, Record<string, unknown>>)[area] ?? {};
    const refuse = (id: string): never => {
      throw new Error(`A rehearsal only reads from the service, so it does not send the request ${id}.`);
    };
    const guarded = Object.entries(calls).map(([name, { writes, id }]) => [name, writes ? () => refuse(id) : clientArea[name]]);
    return [area, Object.fromEntries(guarded)];
  });
  return { ...(Object.fromEntries(areas) as Client), close: () => client.close() };
}

export class Account implements TwinSource {
  /** Numbers of copied records and copied agents. */
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
      // A user without the permission to list account groups can only use the token's own account group.
      if (!(error instanceof ForbiddenError || (error instanceof NotFoundError && error.fromService))) throw error;
    }
    return new Account(client, [{ aid: settings.accountGroupId ?? "" }], true);
  }

  async read(accountGroupId: string): Promise<CopiedLists> {
    const { client } = this;
    const query = accountGroupId === "" ? {} : { aid: accountGroupId };
    const tests = (area: "agentToServerTests" | "httpServerTests" | "dynamicTests") =>
      listed(async () => (await client[area].list({ query })).tests);
    const [agents, labels, tags, agentToServerTests, httpServerTests, dynamicTests] = await Promise.all([
      listed(() =>
        recordsOfPages(
          largePages(client.agents.list, { query: { ...query, expand: [...agentExpands] } }),
          (page) => page.agents,
        ),
      ),
      listed(() =>
        recordsOfPages(
          largePages(client.labels.list, { query: { ...query, expand: ["filters" as const] } }),
          (page) => page.labels,
        ),
      ),
      listed(async () => {
        const { tags: assignedTags } = await client.tags.list({ query: { ...query, expand: ["assignments" as const] } });
        return assignedTags.filter(({ builtIn }) => builtIn !== true);
      }),
      tests("agentToServerTests"),
      tests("httpServerTests"),
      tests("dynamicTests"),
    ]);
    const lists = { labels, tags, agentToServerTests, httpServerTests, dynamicTests };
    this.agents += countOf(agents);
    for (const list of Object.values(lists)) this.records += countOf(list);
    return { agents, ...lists };
  }
}

function countOf(list: CopiedList<unknown>): number {
  return "records" in list ? list.records.length : 0;
}

export class AccountAnswers {
  count = 0;
  /** Rate limit of the stack's own account, in requests per minute. */
  limit: number | undefined;

  /** @param ownAccount whether the response comes from the stack's own account */
  note({ limits: { organization } }: Answer, ownAccount = true): void {
    this.count += 1;
    if (ownAccount) this.limit = organization?.limit ?? this.limit;
  }
}

/** Sorts account groups. The token's current account group comes first. */
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

async function recordsOfPages<P, R>(pages: AsyncIterable<P>, recordsOf: (page: P) => R[]): Promise<R[]> {
  const records: R[] = [];
  for await (const page of pages) for (const record of recordsOf(page)) records.push(record);
  return records;
}
