// Written by `npm run generate` from the schemas; change it there.
import type { RealUserTestProfiles } from "./real-user-tests";

/** Operations of `client.realUserTests`. */
export interface RealUserTestsCalls {
  /** `GET /v7/endpoint/tests/real-user-tests` */
  readonly list: (request?: {
    query?: {
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<RealUserTestProfiles>;
}
