/** Arguments of functions that read the records of an account group. */
export interface AccountGroupArgs {
  /**
   * Account group (`aid`) of the requested records. Default: the stack's setting `endpoint-monitoring:accountGroupId`, or the
   * token's account group.
   */
  accountGroupId?: string;
}

/** Arguments of functions that read rows from several pages. */
export interface LimitArgs {
  /** Maximum number of rows, at least 1. After `limit` rows, the function requests no further pages. Default: all rows. */
  limit?: number;
}

/**
 * Time range of the results, either as `window` or as `startDate` and `endDate`. If omitted, the service chooses the time
 * range.
 */
export interface TimeArgs {
  /**
   * Length of a time range that ends now, such as `12h`. Units: `s`, `m`, `h`, `d` and `w`. `window` excludes `startDate` and
   * `endDate`.
   */
  window?: string;
  /** Beginning of the time range, such as `2022-07-17T22:00:54Z`. */
  startDate?: string;
  /** End of the time range, such as `2022-07-18T22:00:54Z`. Default: now. */
  endDate?: string;
}

/** Query parameters of an API client function. */
export type QueryOf<C extends (request: never) => unknown> = NonNullable<NonNullable<Parameters<C>[0]>["query"]>;

/** An object with exactly one of the members of `T`. */
export type OneOf<T> = { [K in keyof T]: Pick<T, K> & { [Other in Exclude<keyof T, K>]?: never } }[keyof T];
