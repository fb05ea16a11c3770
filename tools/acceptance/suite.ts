import { Ask, newShared, paths, prefix, type Shared } from "./ask";
import { type Difference, differencesOf } from "./compare";
import { reachOperations, whyUnreached } from "./reach";
import { CannotAsk, isAsked, type Row } from "./row";
import type { Body, Exchange, Session } from "./session";

/** The result of a check: of an assumption, an operation or a resource type's lifecycle. */
export interface Finding {
  readonly id: string;
  readonly part: "row" | "operation" | "lifecycle";
  readonly topic: string;
  readonly outcome: "agreed" | "differs" | "unknown";
  /** The reason why nothing was checked. */
  readonly reason?: string;
  readonly differences?: readonly Difference[];
  /** File of this package that changes if the service is right. */
  readonly file?: string;
  /** The requests of the check with their responses. */
  readonly exchanges?: readonly Exchange[];
}

export interface Order {
  readonly rows: readonly Row[];
  /** Whether to call operations that no check needs. */
  readonly operations: boolean;
  readonly progress?: (text: string) => void;
}

/** Deletes records that interrupted runs left in the account group, which their names identify. */
export async function deleteLeftovers(session: Session): Promise<number> {
  const ask = new Ask(session, "leftovers", newShared());
  const found: string[] = [];
  for (const path of [paths.agentToServer, paths.httpServer, paths.dynamic]) {
    const { body } = await ask.get(path);
    for (const { testName, testId } of body?.tests ?? []) if (isOurs(testName)) found.push(`${path}/${testId}`);
  }
  const { body: tagged } = await ask.get(paths.tag);
  for (const { key, id } of tagged?.tags ?? []) if (isOurs(key)) found.push(`${paths.tag}/${id}`);
  let query: Record<string, string> | undefined = { max: "1000" };
  while (query) {
    const { body }: { body: Body } = await ask.get(paths.label, query);
    for (const { name, id } of body?.labels ?? []) if (isOurs(name)) found.push(`${paths.label}/${id}`);
    const next: string | undefined = body?._links?.next?.href;
    const cursor: string | null | undefined = next === undefined ? undefined : new URL(next).searchParams.get("cursor");
    query = typeof cursor === "string" && cursor !== query["cursor"] ? { max: "1000", cursor } : undefined;
  }
  for (const path of found.toReversed()) session.own.add(path);
  await session.clean("leftovers");
  return found.length;
}

const isOurs = (name: unknown): boolean => typeof name === "string" && name.trimStart().startsWith(prefix);

/** Runs one check after the other, and deletes the records of each check. */
export async function runSuite(session: Session, { rows, operations, progress }: Order): Promise<Finding[]> {
  const shared = newShared();
  const findings: Finding[] = [];
  try {
    for (const row of rows) {
      findings.push(await findingOf(session, row, shared));
      progress?.(`${findings.length} of ${rows.length} rows, ${session.sent} requests`);
    }
    if (operations) await reachOperations((id) => new Ask(session, id, shared));
  } finally {
    await session.clean("end");
  }
  return operations ? [...findings, ...shapesOf(session)] : findings;
}

async function findingOf(session: Session, row: Row, shared: Shared): Promise<Finding> {
  const { id, topic, file } = row;
  const known = { id, part: "row", topic, file } as const;
  if (!isAsked(row)) return { ...known, outcome: "unknown", reason: row.reason };
  const from = session.exchanges.length;
  const ask = new Ask(session, id, shared);
  const seen = (): Exchange[] => [...ask.earlier, ...session.exchanges.slice(from)];
  try {
    const differences = differencesOf(row.answers, await row.probe(ask));
    const exchanges = seen();
    return differences.length === 0
      ? { ...known, outcome: "agreed" }
      : { ...known, outcome: "differs", differences, exchanges };
  } catch (error) {
    if (error instanceof CannotAsk) return { ...known, outcome: "unknown", reason: error.message };
    // The service's response lacks members that the check needs, although the emulator's response has them.
    const exchanges = seen();
    const statuses = exchanges.map(({ response }) => response.status);
    const failed = error instanceof Error ? error.message : String(error);
    const differences = [{ at: "answer", emulator: row.answers, service: { statuses, failed } }];
    return { ...known, outcome: "differs", differences, exchanges };
  } finally {
    await session.clean(id, shared.paths);
  }
}

/** Returns the differences between responses and their schemas, by operation. */
function shapesOf(session: Session): Finding[] {
  return session.shapes.all().map(({ operation, file, seen, wrong }) => {
    const known = { id: operation, part: "operation", topic: `Responses to ${operation}`, file } as const;
    if (seen === 0 && wrong.size === 0)
      return { ...known, outcome: "unknown", reason: whyUnreached(operation, session.access) };
    if (wrong.size === 0) return { ...known, outcome: "agreed" };
    const differences = [...wrong].map((service) => ({ at: operation, emulator: `as in ${file}`, service }));
    return { ...known, outcome: "differs", differences };
  });
}
