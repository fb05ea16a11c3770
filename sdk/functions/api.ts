export type Api = typeof import("../../api");

/** Loads the API client at the first call of a function, because many programs call no functions. */
// The cast is safe, because `Api` is the type of the required module.
export const loadApi = (): Api => require("../../api") as Api;
