// Written by `npm run generate` from the schemas; change it there.
import type { SelfLinks } from "./common";
import type { ScheduledTestRecord } from "./scheduled-tests";

/** Operations of `client.scheduledTests`. */
export interface ScheduledTestsCalls {
  /**
   * `GET /v7/endpoint/tests/scheduled-tests`
   *
   * Lists tests of all kinds. Like other lists of tests, it has no pages.
   */
  readonly list: (request?: {
    query?: {
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<{
    /** Tests of the account group, all on one page. */
    tests: ScheduledTestRecord[];
    /** Links of the list. */
    _links?: SelfLinks;
  }>;
}
