import { date } from "../date";
import { millisecondsOf, type TimeRange, timeRangeProblem, windowSeconds } from "../../api/schemas";
import type { HandlerCall } from "../handler";
import type { Order, OrderPosition } from "../order";
import { decodeCursor, encodeCursor, invalidCursor, largestPage } from "../pages";
import { standardStyle } from "../problem";

type ResultCall = Pick<HandlerCall, "self" | "service" | "aid"> & {
  readonly query: TimeRange & { readonly cursor?: string; readonly max?: number };
};

export interface Recorded {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly sequence: number;
}

/**
 * The time range of a search, and the position of the next page. Later pages omit records that were added after the first page was read.
 */
interface PagePosition {
  readonly from: number;
  readonly to: number;
  readonly lastSequence: number;
  readonly after?: OrderPosition;
}

/** The samples in the service's documentation span a day, so the emulator assumes a default time range of one day. */
const dayMs = 86_400_000;

export interface MatchedResults<T> {
  readonly page: readonly T[];
  /** Number of matching records on all pages. */
  readonly total: number;
  readonly startDate: string;
  readonly endDate: string;
  readonly next?: string;
}

/**
 * Returns a page of the records that match a search, in the requested order.
 *
 * @param question string that identifies the search, so that cursors from other searches are refused
 * @throws Problem 400 for an invalid cursor or time range
 */
export function matching<T extends Recorded>(
  call: ResultCall,
  question: string,
  recorded: readonly T[],
  { matches, order }: { matches: (record: T) => boolean; order: Order<T> },
): MatchedResults<T> {
  const { cursor, max = call.service.settings.pageSize } = call.query;
  const position = cursor === undefined ? firstPosition(call, recorded) : decode(cursor, question, order);
  const { from, to, lastSequence, after } = position;
  const inRange = recorded.filter(({ at, sequence }) => sequence <= lastSequence && at >= from && at <= to);
  const sorted = order.sorted(inRange.filter(matches));
  const start = after === undefined ? 0 : order.indexAfter(sorted, after);
  const end = start + Math.min(max, largestPage);
  const page = sorted.slice(start, end);
  const last = page.at(-1);
  return {
    page,
    total: sorted.length,
    startDate: date(from),
    endDate: date(to),
    ...(last &&
      end < sorted.length && {
        next: nextUrl(call.self, encodeCursor([question, from, to, lastSequence, order.placeOf(last)])),
      }),
  };
}

function firstPosition({ query, service }: ResultCall, recorded: readonly Recorded[]): PagePosition {
  const problem = timeRangeProblem(query);
  if (problem) throw standardStyle.invalid("query", [{ code: "invalid", ...problem }]);
  const { window, startDate, endDate } = query;
  const to = endDate === undefined ? service.settings.now() : millisecondsOf(endDate);
  const length = window === undefined ? dayMs : windowSeconds(window) * 1000;
  const from = startDate === undefined ? Math.max(0, to - length) : millisecondsOf(startDate);
  const lastSequence = recorded.reduce((last, { sequence }) => Math.max(last, sequence), 0);
  return { from, to, lastSequence };
}

function nextUrl(self: string, cursor: string): string {
  const next = new URL(self);
  next.searchParams.set("cursor", cursor);
  return next.href;
}

function decode<T extends Recorded>(cursor: string, question: string, order: Order<T>): PagePosition {
  const [asked, from, to, lastSequence, place] = decodeCursor(cursor);
  const after = order.parsePlace(place);
  const isWhole = [from, to, lastSequence].every((number) => Number.isSafeInteger(number) && Number(number) >= 0);
  if (asked !== question || after === undefined || !isWhole) throw invalidCursor();
  return { from: Number(from), to: Number(to), lastSequence: Number(lastSequence), after };
}
