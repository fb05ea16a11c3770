import { single, outputForm } from "./define";
import type { Fetch, FetchOutput } from "./fetch";
import type { AccountGroup } from "./records";

/**
 * Returns the account groups that the token's user may see.
 *
 * @example
 * ```ts
 * const groups = await getAccountGroups();
 * const branch = groups.find((group) => group.accountGroupName === "Branch offices");
 * ```
 */
export const getAccountGroups: Fetch<object, AccountGroup[]> = single({
  operation: (operations) => operations.accountGroups.list,
  answer: (response) => response.accountGroups,
});

/**
 * Returns the result of {@link getAccountGroups} as an output.
 *
 * @example
 * ```ts
 * export const groups = getAccountGroupsOutput().apply((found) => found.map((group) => group.aid));
 * ```
 */
export const getAccountGroupsOutput: FetchOutput<object, AccountGroup[]> = outputForm(getAccountGroups);
