/** Answers functions in tests of programs (`pulumi-endpoint-monitoring/testing`). */
export interface StandIn {
  /**
   * Answers a call of a function. Undefined if the service of `settings` is to answer.
   *
   * @param fetch the function
   * @throws an error that says how to have the function answered
   */
  answer(fetch: object, args: object): { readonly value: unknown } | undefined;
  /** Settings that replace those of the stack and of the environment, by name. */
  readonly settings?: Readonly<Record<string, string | undefined>>;
}

let current: StandIn | undefined;

/** Has a stand-in answer all functions from now on; undefined: the service, again. */
export function standInWith(next: StandIn | undefined): void {
  current = next;
}

export function standIn(): StandIn | undefined {
  return current;
}

/** Returns the answer of the stand-in to a call. Undefined if there is none, so that the service answers. */
export async function answered<R>(
  fetch: (...params: never) => Promise<R>,
  args: object,
): Promise<{ readonly value: R } | undefined> {
  const answer = current?.answer(fetch, args);
  // The types of `pulumi-endpoint-monitoring/testing` hold each answer to what the function returns.
  return answer && { value: (await answer.value) as R };
}
