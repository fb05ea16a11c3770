import type { Operations, Properties } from "../kind";

/** The calls of the client on one kind of test. */
interface TestCalls<R> {
  list(request: { query: { aid?: string } }): Promise<{ tests: R[] }>;
  get(request: { path: { testId: string }; query: { aid?: string } }): Promise<R>;
  create(request: { body: never; query: { aid?: string } }): Promise<R>;
  update(request: { path: { testId: string }; body: Properties; query: { aid?: string } }): Promise<R>;
  delete(request: { path: { testId: string }; query: { aid?: string } }): Promise<void>;
}

/** The operations of a kind of test. Lists of tests are not paged, so a list is one request. */
export function testOperationsOf<R>(calls: TestCalls<R>): Operations<R> {
  return {
    list: async (aid) => (await calls.list({ query: { aid } })).tests,
    get: (testId, aid) => calls.get({ path: { testId }, query: { aid } }),
    // The client checks the body member by member before it sends anything.
    create: (body, aid) => calls.create({ body: body as never, query: { aid } }),
    update: (testId, body, aid) => calls.update({ path: { testId }, body, query: { aid } }),
    remove: (testId, aid) => calls.delete({ path: { testId }, query: { aid } }),
  };
}
