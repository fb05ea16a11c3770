// Written by `npm run generate` from the schemas; change it there.
import type { RealUserTestProfiles } from "./real-user-tests";

/** Operations of `client.realUserTests`. */
export interface RealUserTestsCalls {
  /** `GET /v7/endpoint/tests/real-user-tests` */
  readonly list: (request?: {
    query?: {
      /** Account group to ask. Default: the one that the token's owner logs in to. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<RealUserTestProfiles>;
}
