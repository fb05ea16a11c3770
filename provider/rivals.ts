import { createHash } from "node:crypto";
import { OwnershipError } from "./failures";
import { isOwned, type Mark } from "./marks";
import { withArticle } from "./values";

export interface LedgerKind {
  readonly name: string;
  readonly noun: string;
}

/** Properties that distinguish two records with the same id in two services. An unknown property counts as equal. */
export interface RecordFacts {
  readonly accountGroupId?: string | undefined;
  /** The names that the record has before, during and after this operation. */
  readonly names?: readonly (string | undefined)[];
}

/** A log entry of a provider process that uses a different host name for the service. */
export interface Rival {
  readonly origin: string;
  readonly mark: Mark;
}

export function isRival({ mark }: Rival): boolean {
  return isOwned(mark) || mark.ownership === "contested";
}

/** Returns the first log entry that may concern the record, because no known property differs. */
export function sameRecord(rivals: readonly Rival[], { accountGroupId, names = [] }: RecordFacts = {}): Rival | undefined {
  const digests = digestsOf(names);
  return rivals.find(({ mark }) => {
    if (accountGroupId !== undefined && mark.account !== undefined && accountGroupId !== mark.account) return false;
    return digests.length === 0 || mark.names.size === 0 || digests.some((name) => mark.names.has(name));
  });
}

export function rivalRecord(
  kind: LedgerKind,
  id: string,
  participle: string,
  service: string,
  { origin }: Rival,
): OwnershipError {
  return new OwnershipError(
    `The ${kind.noun} ${id} at ${service} was not ${participle}. Another provider in this operation uses ${origin} and ` +
      `manages ${withArticle(kind.noun)} with the same id. The two resources may manage the same record. If both URLs belong to ` +
      `one service, set the property movedFrom of the provider at ${service} to ${origin}. If the URLs belong to two services, run the operation for each service separately with --target.`,
  );
}

export function sharedAcrossOrigins(kind: LedgerKind, id: string, service: string, { origin }: Rival): OwnershipError {
  return new OwnershipError(
    `Two ${kind.name} resources of this program manage the ${kind.noun} ${id}: one through ${service}, the other through ${origin}. The records have ` +
      "the same id and name, so they are probably one record. Delete one of the two resources from the program. If both resources are " +
      `in the state, also run \`pulumi state delete\` for the deleted resource. The ${kind.noun} stays in the service. If ${service} and ${origin} ` +
      "are two services, use a separate stack for each service.",
  );
}

export function sharedRecord(kind: LedgerKind, id: string, name?: string): OwnershipError {
  const which = name === undefined ? id : `${id} ("${name}")`;
  return new OwnershipError(
    `Two ${kind.name} resources of this program manage the ${kind.noun} ${which}. Delete one of the two resources from ` +
      "the program. If both resources are in the state, also run `pulumi state delete` for the deleted resource. " +
      `The ${kind.noun} stays in the service.`,
  );
}

/** Returns a digest of a name. The log must not contain the name, which may be secret. */
export function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

export function digestsOf(names: readonly (string | undefined)[]): string[] {
  return names.flatMap((name) => (name === undefined ? [] : digest(name)));
}
