export type Api = typeof import("../../api");

/** Loads the API client when a program first calls a function, because many programs call no functions. */
// The cast is safe, because `Api` is the type of the required module.
export const loadApi = (): Api => require("../../api") as Api;
