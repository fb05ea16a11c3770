export type Api = typeof import("../../api");

/** Loads the client at the first call, so that programs without functions do not load the client. */
// The cast is safe, because `Api` is the type of the required module.
export const loadApi = (): Api => require("../../api") as Api;
