import { z } from "zod";

const units = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 } as const;

/** RFC 3339, or with an offset without its colon (`+0000`), as public clients of the service send it. */
const dateTimePattern = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d(?:\.\d+)?)(?:[Zz]|([+-]\d\d):?(\d\d))$/;

const dateTime = z
  .string()
  .refine((text) => !Number.isNaN(millisecondsOf(text)), "a date and time such as 2022-07-17T22:00:54Z");

/** Milliseconds since 1970 of a date and time, `NaN` when it is none. */
export function millisecondsOf(text: string): number {
  const [, day, time, hours, minutes] = dateTimePattern.exec(text) ?? [];
  // `Date` takes February 30th for March 2nd.
  if (day === undefined || Number(day.slice(8)) > daysOf(day)) return NaN;
  return Date.parse(`${day}T${time}${hours === undefined ? "Z" : `${hours}:${minutes}`}`);
}

/** Days of the month that a date is in. */
function daysOf(day: string): number {
  return new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).getUTCDate();
}

/**
 * The time range of results: a `window` back from now, or dates; not both (docs/service/requests.md, Time ranges). The interface
 * document requires the unit of `window`, although its pattern does not.
 */
export const timeRange = {
  /** How far back from now: a number with a unit (`s`, `m`, `h`, `d`, `w`), such as `12h`. Not with dates. */
  window: z
    .string()
    .regex(/^\d+[smhdw]$/, "a number with a unit (s, m, h, d or w), such as 12h")
    .optional(),
  /** Beginning, such as `2022-07-17T22:00:54Z`. */
  startDate: dateTime.optional(),
  /** End, such as `2022-07-18T22:00:54Z`. Default: now. */
  endDate: dateTime.optional(),
};

/** A parsed time range. */
export interface TimeRange {
  window?: string;
  startDate?: string;
  endDate?: string;
}

/** Returns the seconds of a `window`. */
export function windowSeconds(window: string): number {
  // The schema requires the unit.
  return Number.parseInt(window, 10) * units[window.at(-1) as keyof typeof units];
}

/** Returns the mistake in a time range as a whole. The schema has checked each member. */
export function timeRangeProblem({ window, startDate, endDate }: TimeRange): { field: string; message: string } | undefined {
  if (window !== undefined && (startDate ?? endDate) !== undefined) {
    return { field: "window", message: "excludes startDate and endDate" };
  }
  if (startDate !== undefined && endDate !== undefined && millisecondsOf(startDate) > millisecondsOf(endDate)) {
    return { field: "endDate", message: "is before startDate" };
  }
  return undefined;
}
