/** Arguments of every function about records of an account group. */
export interface AccountGroupArgs {
  /** Account group to ask. Default: `endpoint-monitoring:accountGroupId` of the settings, else the token's own. */
  accountGroupId?: string;
}

/** Arguments of every function whose answer comes in pages. */
export interface LimitArgs {
  /** At most this many rows, 1 or more; no page beyond them is asked for. Default: all there are. */
  limit?: number;
}

/** The time that results are asked for: `window`, or dates, not both. The service chooses when left out. */
export interface TimeArgs {
  /** How far back from now: a number with a unit (`s`, `m`, `h`, `d`, `w`), such as `12h`. Not with dates. */
  window?: string;
  /** Beginning, such as `2022-07-17T22:00:54Z`. */
  startDate?: string;
  /** End, such as `2022-07-18T22:00:54Z`. Default: now. */
  endDate?: string;
}

/** Query of a call of the client. */
export type QueryOf<C extends (request: never) => unknown> = NonNullable<NonNullable<Parameters<C>[0]>["query"]>;

/** Exactly one of the members of `T`. */
export type OneOf<T> = { [K in keyof T]: Pick<T, K> & { [Other in Exclude<keyof T, K>]?: never } }[keyof T];
