import type { AccountGroupArgs } from "./arguments";
import { single, outputForm } from "./define";
import type { Fetch, FetchOutput } from "./fetch";
import type { RealUserTestProfile } from "./records";

/** Arguments of {@link getRealUserTestProfiles}. */
export interface GetRealUserTestProfilesArgs extends AccountGroupArgs {}

/**
 * Gives the profiles of real user tests: which domains are watched, and on which agents. What was visited is what
 * {@link getRealUserTests} gives.
 *
 * @example
 * ```ts
 * const profiles = await getRealUserTestProfiles();
 * const watched = profiles.flatMap((profile) => profile.includedDomains ?? []);
 * ```
 */
export const getRealUserTestProfiles: Fetch<GetRealUserTestProfilesArgs, RealUserTestProfile[]> = single({
  operation: ({ realUserTests }) => realUserTests.list,
  answer: (response) => response.realUserTests,
});

/**
 * {@link getRealUserTestProfiles} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const profiles = getRealUserTestProfilesOutput({ accountGroupId: branch.aid }).apply((found) => found.length);
 * ```
 */
export const getRealUserTestProfilesOutput: FetchOutput<GetRealUserTestProfilesArgs, RealUserTestProfile[]> =
  outputForm(getRealUserTestProfiles);
