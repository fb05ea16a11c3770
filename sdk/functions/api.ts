export type Api = typeof import("../../api");

/** Loads the API client at the first call, so that programs that call no functions do not load the API client. */
// The cast is safe, because `Api` is the type of the required module.
export const loadApi = (): Api => require("../../api") as Api;
