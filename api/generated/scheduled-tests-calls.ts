// `npm run generate` writes this file from the schemas in api/schemas.
import type { SelfLinks } from "./common";
import type { ScheduledTestRecord } from "./scheduled-tests";

/** Operations of `client.scheduledTests`. */
export interface ScheduledTestsCalls {
  /**
   * `GET /v7/endpoint/tests/scheduled-tests`
   *
   * Lists tests of all types. The service returns all tests on one page.
   */
  readonly list: (request?: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<{
    /** Tests of the account group. The service returns all tests on one page. */
    tests: ScheduledTestRecord[];
    /** Links, such as the link to the list itself. */
    _links?: SelfLinks;
  }>;
}
