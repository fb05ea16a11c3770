import * as pulumi from "../pulumi";
import type { Link } from "../../api/generated";
import type { AccountGroupArgs } from "./arguments";
import { outputForm } from "./define";
import type { Fetch, FetchOutput } from "./fetch";

/** A test with results, and the links of its record. */
export interface TestReference {
  /** Identifier of the test. */
  testId: string;
  /** Links in the form of records. */
  _links?: {
    /** Links to the results of the test. */
    testResults?: Link[];
  };
  /** Links in the form of test resources. */
  links?: {
    /** Links to the results of the test. */
    testResults?: string[];
  };
}

/** Arguments of every function about results of one test. */
export interface OfTestArgs extends AccountGroupArgs {
  /**
   * The test: a record from `getTest`, a test resource (in the output form), or an id. The links of a record or resource to the
   * service's own origin lead to its results. Without such links, the function uses the documented paths.
   */
  test: string | TestReference;
}

/** Converts arguments about one test to a request. */
export const ofTest = {
  wire: ({ test, ...rest }: OfTestArgs): object => ({ ...rest, testId: typeof test === "string" ? test : test?.testId }),
  links: ({ test }: OfTestArgs): string[] => {
    if (typeof test !== "object" || test === null) return [];
    return [...(test._links?.testResults ?? []).map((link) => link.href), ...(test.links?.testResults ?? [])];
  },
};

/**
 * Returns the output form of a function that accepts a resource as `test`. Pulumi would not wait for outputs inside a
 * resource.
 */
export function outputOfTest<A extends OfTestArgs, R>(fetch: Fetch<A, R>): FetchOutput<A, R> {
  return outputForm(fetch, { plain: plainTest });
}

/** Returns arguments with id and links in place of a test resource. */
function plainTest(args: object): object {
  if (!("test" in args) || !pulumi.CustomResource.isInstance(args.test)) return args;
  // Every class of test has these two members. For any other resource, both are undefined.
  const { testId, links } = args.test as pulumi.CustomResource & { testId?: unknown; links?: unknown };
  return { ...args, test: { testId, links } };
}
