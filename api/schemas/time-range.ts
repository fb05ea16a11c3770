import { z } from "zod";

const units = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 } as const;

/**
 * Matches a date and time in RFC 3339 format. The UTC offset may lack its colon (`+0000`), as in the requests of some clients.
 */
const dateTimePattern = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d(?:\.\d+)?)(?:[Zz]|([+-]\d\d):?(\d\d))$/;

const dateTime = z
  .string()
  .refine((text) => !Number.isNaN(millisecondsOf(text)), "a date and time such as 2022-07-17T22:00:54Z");

/** Returns a date and time in milliseconds since 1970; `NaN` for invalid text. */
export function millisecondsOf(text: string): number {
  const [, day, time, hours, minutes] = dateTimePattern.exec(text) ?? [];
  // `Date` would accept February 30th as March 2nd.
  if (day === undefined || Number(day.slice(8)) > daysOf(day)) return NaN;
  return Date.parse(`${day}T${time}${hours === undefined ? "Z" : `${hours}:${minutes}`}`);
}

function daysOf(day: string): number {
  return new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).getUTCDate();
}

/**
 * The time range of results: a `window` that ends now, or two dates (docs/service/requests.md, Time ranges). The documentation
 * requires a unit in `window`, although the documented pattern does not.
 */
export const timeRange = {
  /**
   * Length of a time range that ends now: a number with a unit (`s`, `m`, `h`, `d`, `w`), such as `12h`. Do not combine
   * `window` with `startDate` or `endDate`.
   */
  window: z
    .string()
    .regex(/^\d+[smhdw]$/, "a number with a unit (s, m, h, d or w), such as 12h")
    .optional(),
  /** Start of the time range, such as `2022-07-17T22:00:54Z`. */
  startDate: dateTime.optional(),
  /** End of the time range, such as `2022-07-18T22:00:54Z`. Default: now. */
  endDate: dateTime.optional(),
};

export interface TimeRange {
  window?: string;
  startDate?: string;
  endDate?: string;
}

/** Returns the length of a `window` in seconds. */
export function windowSeconds(window: string): number {
  // The cast is safe, because the schema requires a unit.
  return Number.parseInt(window, 10) * units[window.at(-1) as keyof typeof units];
}

/** Returns the problem with a combination of `window`, `startDate` and `endDate`; undefined for a valid combination. */
export function timeRangeProblem({ window, startDate, endDate }: TimeRange): { field: string; message: string } | undefined {
  if (window !== undefined && (startDate ?? endDate) !== undefined) {
    return { field: "window", message: "excludes startDate and endDate" };
  }
  if (startDate !== undefined && endDate !== undefined && millisecondsOf(startDate) > millisecondsOf(endDate)) {
    return { field: "endDate", message: "is before startDate" };
  }
  return undefined;
}
