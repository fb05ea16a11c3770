import type { AccountGroupArgs } from "./arguments";
import { single, outputForm } from "./define";
import type { Fetch, FetchOutput } from "./fetch";
import type { RealUserTestProfile } from "./records";

/** Arguments of {@link getRealUserTestProfiles}. */
export interface GetRealUserTestProfilesArgs extends AccountGroupArgs {}

/**
 * Returns the profiles of real user tests, with their monitored domains and their agents. {@link getRealUserTests} returns the
 * visits.
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
 * Returns the result of {@link getRealUserTestProfiles} as an output. The arguments may be outputs of resources.
 *
 * @example
 * ```ts
 * export const profiles = getRealUserTestProfilesOutput({ accountGroupId: branch.aid }).apply((found) => found.length);
 * ```
 */
export const getRealUserTestProfilesOutput: FetchOutput<GetRealUserTestProfilesArgs, RealUserTestProfile[]> =
  outputForm(getRealUserTestProfiles);
