import type { Operation, RequestOf } from "../../api";

/** Arguments of every function about records of an account group. */
export interface AccountGroupArgs {
  /** Account group (`aid`) to ask. Default: `endpoint-monitoring:accountGroupId` of the settings, else the token's own. */
  accountGroupId?: string;
}

/** Arguments of every function whose answer comes in pages. */
export interface LimitArgs {
  /** At most this many rows, so that no more pages are asked for than that takes. Default: all there are. */
  limit?: number;
}

/** The time that results are asked for: `window`, or dates, not both. Left out, the service chooses. */
export interface TimeArgs {
  /** How far back from now: a number with a unit (`s`, `m`, `h`, `d`, `w`), such as `12h`. */
  window?: string;
  /** Beginning, such as `2022-07-17T22:00:54Z`. */
  startDate?: string;
  /** End, such as `2022-07-18T22:00:54Z`. Default: now. */
  endDate?: string;
}

/** Body of the request of an operation. */
export type BodyOf<O extends Operation> = NonNullable<RequestOf<O> extends { body?: infer B } ? B : never>;

/** Query of the request of an operation. */
export type QueryOf<O extends Operation> = NonNullable<RequestOf<O>["query"]>;

/** Exactly one of the members of `T`. */
export type OneOf<T> = { [K in keyof T]: Pick<T, K> & Partial<Record<Exclude<keyof T, K>, never>> }[keyof T];
