/** Answers function calls in unit tests (`pulumi-endpoint-monitoring/testing`). */
export interface StandIn {
  /**
   * Answers a function call, or returns undefined if the service in `settings` should answer the call.
   *
   * @param fetch the function
   * @throws an error that explains how to declare a result for the function
   */
  answer(fetch: object, args: object): { readonly value: unknown } | undefined;
  /** Settings by name, which replace the stack's settings and the environment. */
  readonly settings?: Readonly<Record<string, string | undefined>>;
}

let current: StandIn | undefined;

/** Sets the stand-in that answers all function calls. If `next` is undefined, the service answers the calls. */
export function standInWith(next: StandIn | undefined): void {
  current = next;
}

export function standIn(): StandIn | undefined {
  return current;
}

export async function answered<R>(
  fetch: (...params: never) => Promise<R>,
  args: object,
): Promise<{ readonly value: R } | undefined> {
  const answer = current?.answer(fetch, args);
  // The types of `pulumi-endpoint-monitoring/testing` ensure that a declared result matches the function's result type.
  return answer && { value: (await answer.value) as R };
}
