import { z } from "zod";

const units = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 } as const;

/** RFC 3339, or an offset without its colon (`+0000`), which public clients of the service send. */
const dateTimePattern = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d(?:\.\d+)?)(?:[Zz]|([+-]\d\d):?(\d\d))$/;

const dateTime = z
  .string()
  .refine((text) => !Number.isNaN(millisecondsOf(text)), "a date and time such as 2022-07-17T22:00:54Z");

/** Returns the milliseconds since 1970 of a date and time; `NaN` for other text. */
export function millisecondsOf(text: string): number {
  const [, day, time, hours, minutes] = dateTimePattern.exec(text) ?? [];
  // `Date` reads February 30th as March 2nd.
  if (day === undefined || Number(day.slice(8)) > daysOf(day)) return NaN;
  return Date.parse(`${day}T${time}${hours === undefined ? "Z" : `${hours}:${minutes}`}`);
}

/** Returns the number of days in the month of a date. */
function daysOf(day: string): number {
  return new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).getUTCDate();
}

/**
 * The time range of results: either a `window` until now, or dates (docs/service/requests.md, Time ranges). The interface
 * document requires the unit of `window`, although its pattern does not.
 */
export const timeRange = {
  /**
   * Length of the time range until now: a number with a unit (`s`, `m`, `h`, `d`, `w`), such as `12h`. Not together with
   * dates.
   */
  window: z
    .string()
    .regex(/^\d+[smhdw]$/, "a number with a unit (s, m, h, d or w), such as 12h")
    .optional(),
  /** Beginning of the time range, such as `2022-07-17T22:00:54Z`. */
  startDate: dateTime.optional(),
  /** End of the time range, such as `2022-07-18T22:00:54Z`. Default: now. */
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

/** Returns the mistake in the combination of a time range's members, if there is one. The schema has checked each member. */
export function timeRangeProblem({ window, startDate, endDate }: TimeRange): { field: string; message: string } | undefined {
  if (window !== undefined && (startDate ?? endDate) !== undefined) {
    return { field: "window", message: "excludes startDate and endDate" };
  }
  if (startDate !== undefined && endDate !== undefined && millisecondsOf(startDate) > millisecondsOf(endDate)) {
    return { field: "endDate", message: "is before startDate" };
  }
  return undefined;
}
