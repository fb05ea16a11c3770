import * as pulumi from "../pulumi";
import type { Link } from "../../api/generated";
import type { AccountGroupArgs } from "./arguments";
import { outputForm } from "./define";
import type { Fetch, FetchOutput } from "./fetch";

/** A reference to a test, with the test's identifier and the links to its results. */
export interface TestReference {
  /** Identifier of the test. */
  testId: string;
  /** Links of a record from `getTest`. */
  _links?: {
    /** Links to the results of the test. */
    testResults?: Link[];
  };
  /** Links of a test resource. */
  links?: {
    /** Links to the results of the test. */
    testResults?: string[];
  };
}

/** Arguments of functions that return the results of one test. */
export interface OfTestArgs extends AccountGroupArgs {
  /**
   * The test, as a record from `getTest` or as an id. A function that returns an output also accepts a test resource. The
   * function uses the test's result links if the links have the base URL's origin. For a test without usable links, the
   * function uses the documented paths.
   */
  test: string | TestReference;
}

export const ofTest = {
  wire: ({ test, ...rest }: OfTestArgs): object => ({ ...rest, testId: typeof test === "string" ? test : test?.testId }),
  links: ({ test }: OfTestArgs): string[] => {
    if (typeof test !== "object" || test === null) return [];
    return [...(test._links?.testResults ?? []).map((link) => link.href), ...(test.links?.testResults ?? [])];
  },
};

/**
 * Returns a variant of `fetch` that accepts and returns outputs, and accepts a test resource as `test`. The variant passes only
 * `testId` and `links` of a test resource, because Pulumi does not wait for outputs inside a resource.
 */
export function outputOfTest<A extends OfTestArgs, R>(fetch: Fetch<A, R>): FetchOutput<A, R> {
  return outputForm(fetch, { plain: plainTest });
}

function plainTest(args: object): object {
  if (!("test" in args) || !pulumi.CustomResource.isInstance(args.test)) return args;
  // All test classes have `testId` and `links`, but other resource classes do not.
  const { testId, links } = args.test as pulumi.CustomResource & { testId?: unknown; links?: unknown };
  return { ...args, test: { testId, links } };
}
