// `npm run generate` writes this file from the schemas in api/schemas.
import type { RealUserTestProfiles } from "./real-user-tests";

/** Operations of `client.realUserTests`. */
export interface RealUserTestsCalls {
  /** `GET /v7/endpoint/tests/real-user-tests` */
  readonly list: (request?: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<RealUserTestProfiles>;
}
