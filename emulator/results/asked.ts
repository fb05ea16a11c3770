import { type TimeRange, timeRangeProblem, windowSeconds } from "../../api/schemas";
import type { Call } from "../handler";
import { largestPage } from "../pages";
import { Problem, standardStyle } from "../problem";

/** What a request for results says of time and pages. */
type ResultCall = Pick<Call, "self" | "service" | "aid"> & {
  readonly query: TimeRange & { readonly cursor?: string; readonly max?: number };
};

/** Something that was recorded at a moment. */
export interface Recorded {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Place in the order of recording. */
  readonly sequence: number;
}

/** What all pages of one question have in common: later ones answer as if nothing had been recorded since the first. */
interface Position {
  readonly from: number;
  readonly to: number;
  readonly lastSequence: number;
  readonly offset: number;
}

/** The samples' time range (assumed where none is given). */
const dayMs = 86_400_000;

/** A page of what was asked for. */
export interface Found<T> {
  readonly page: readonly T[];
  /** Matches on all pages. */
  readonly total: number;
  readonly startDate: string;
  readonly endDate: string;
  /** URL of the next page. */
  readonly next?: string;
}

/**
 * Answers a request for results: those in its time range that match, in its order, a page of them.
 *
 * @param question tells questions apart: the cursor of another one is refused
 * @throws Problem 400 for a cursor that is none, or a time range that can't be
 */
export function found<T extends Recorded>(
  call: ResultCall,
  question: string,
  recorded: readonly T[],
  { matches, order }: { matches: (one: T) => boolean; order: (a: T, b: T) => number },
): Found<T> {
  const { cursor, max = call.service.settings.pageSize } = call.query;
  const position = cursor === undefined ? firstPosition(call, recorded) : decode(cursor, question);
  const { from, to, lastSequence, offset } = position;
  const all = recorded
    .filter(({ at, sequence }) => sequence <= lastSequence && at >= from && at <= to)
    .filter(matches)
    .toSorted(order);
  const end = offset + Math.min(max, largestPage);
  return {
    page: all.slice(offset, end),
    total: all.length,
    startDate: date(from),
    endDate: date(to),
    ...(end < all.length && { next: nextUrl(call.self, encode({ ...position, offset: end }, question)) }),
  };
}

function firstPosition({ query, service }: ResultCall, recorded: readonly Recorded[]): Position {
  const problem = timeRangeProblem(query);
  if (problem) throw standardStyle.invalid("query", [{ code: "invalid", ...problem }]);
  const { window, startDate, endDate } = query;
  const to = endDate === undefined ? service.settings.now() : Date.parse(endDate);
  const length = window === undefined ? dayMs : windowSeconds(window) * 1000;
  const from = startDate === undefined ? Math.max(0, to - length) : Date.parse(startDate);
  const lastSequence = recorded.reduce((last, { sequence }) => Math.max(last, sequence), 0);
  return { from, to, lastSequence, offset: 0 };
}

function nextUrl(self: string, cursor: string): string {
  const next = new URL(self);
  next.searchParams.set("cursor", cursor);
  return next.href;
}

function encode({ from, to, lastSequence, offset }: Position, question: string): string {
  return Buffer.from([question, from, to, lastSequence, offset].join(" ")).toString("base64url");
}

function decode(cursor: string, question: string): Position {
  const [asked, ...rest] = Buffer.from(cursor, "base64url").toString().split(" ");
  const [from, to, lastSequence, offset] = rest.map(Number);
  const numbers = [from, to, lastSequence, offset];
  if (
    asked !== question ||
    rest.length !== 4 ||
    !numbers.every((number) => Number.isSafeInteger(number) && Number(number) >= 0)
  ) {
    throw new Problem(400, "Invalid cursor");
  }
  return { from: Number(from), to: Number(to), lastSequence: Number(lastSequence), offset: Number(offset) };
}

/** A date as the service writes it: whole seconds, UTC. */
export function date(at: number): string {
  // The last moment that a Date holds: windows may be longer than time.
  return new Date(Math.min(Math.max(at, 0), 8.64e15)).toISOString().replace(/\.\d+Z$/, "Z");
}
