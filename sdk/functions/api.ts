export type Api = typeof import("../../api");

/** Returns the client. It is loaded when a function is called, so other programs do not load it. */
// `require` has no types. These are the module's.
export const loadApi = (): Api => require("../../api") as Api;
