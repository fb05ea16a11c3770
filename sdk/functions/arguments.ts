/** Arguments of every function about records of an account group. */
export interface AccountGroupArgs {
  /** Account group to read. Default: the stack's `endpoint-monitoring:accountGroupId`, or the token's own if it is not set. */
  accountGroupId?: string;
}

/** Arguments of every function that reads pages. */
export interface LimitArgs {
  /** Largest number of rows, 1 or more. Pages beyond this limit are not requested. Default: all rows. */
  limit?: number;
}

/** Time range of the results: either `window` or dates. If omitted, the service chooses. */
export interface TimeArgs {
  /**
   * Length of the time range until now: a number with a unit (`s`, `m`, `h`, `d`, `w`), such as `12h`. Not together with
   * dates.
   */
  window?: string;
  /** Beginning of the time range, such as `2022-07-17T22:00:54Z`. */
  startDate?: string;
  /** End of the time range, such as `2022-07-18T22:00:54Z`. Default: now. */
  endDate?: string;
}

/** Query of a call of the client. */
export type QueryOf<C extends (request: never) => unknown> = NonNullable<NonNullable<Parameters<C>[0]>["query"]>;

/** Exactly one of the members of `T`. */
export type OneOf<T> = { [K in keyof T]: Pick<T, K> & { [Other in Exclude<keyof T, K>]?: never } }[keyof T];
