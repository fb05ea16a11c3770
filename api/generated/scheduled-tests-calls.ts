// Written by `npm run generate` from the schemas; change it there.
import type { SelfLinks } from "./common";
import type { ScheduledTestRecord } from "./scheduled-tests";

/** Operations of `client.scheduledTests`. */
export interface ScheduledTestsCalls {
  /**
   * `GET /v7/endpoint/tests/scheduled-tests`
   *
   * Tests of all kinds. Like other lists of tests it is not paged.
   */
  readonly list: (request?: {
    query?: {
      /** Account group to ask. Default: the one that the token's owner logs in to. */
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
