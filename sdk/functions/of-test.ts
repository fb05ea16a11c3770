import * as pulumi from "../pulumi";
import type { Link } from "../../api/generated";
import type { AccountGroupArgs } from "./arguments";
import { outputForm } from "./define";
import type { Fetch, FetchOutput } from "./fetch";

/** A test whose results are asked for, with the links of its record. */
export interface TestReference {
  /** Identifier of the test. */
  testId: string;
  /** Links as records have them. */
  _links?: {
    /** Links to the results of the test. */
    testResults?: Link[];
  };
  /** Links as test resources have them. */
  links?: {
    /** Links to the results of the test. */
    testResults?: string[];
  };
}

/** Arguments of every function about results of one test. */
export interface OfTestArgs extends AccountGroupArgs {
  /**
   * The test: a record as `getTest` gives it, a test resource (in the form that gives an output), or an id alone. With a record or
   * a resource its links lead to the results, those of the service's own origin; else the paths of the interface do.
   */
  test: string | TestReference;
}

/** How arguments about one test become a request. */
export const ofTest = {
  wire: ({ test, ...rest }: OfTestArgs): object => ({ ...rest, testId: typeof test === "string" ? test : test?.testId }),
  links: ({ test }: OfTestArgs): string[] => {
    if (typeof test !== "object" || test === null) return [];
    return [...(test._links?.testResults ?? []).map((link) => link.href), ...(test.links?.testResults ?? [])];
  },
};

/** Makes the form that gives an output, where `test` may be a resource: outputs inside one are not waited for otherwise. */
export function outputOfTest<A extends OfTestArgs, R>(fetch: Fetch<A, R>): FetchOutput<A, R> {
  return outputForm(fetch, { plain: plainTest });
}

/** Replaces a test resource in arguments with its id and links. */
function plainTest(args: object): object {
  if (!("test" in args) || !pulumi.CustomResource.isInstance(args.test)) return args;
  // Every class of test has these two; they are undefined of any other resource.
  const { testId, links } = args.test as pulumi.CustomResource & { testId?: unknown; links?: unknown };
  return { ...args, test: { testId, links } };
}
