export type Api = typeof import("../../api");

/** Returns the client. It is loaded when a function is called, so other programs do not load it. */
// `require` has no types. The module's exports have these names.
export const loadApi = (): Api => require("../../api") as Api;
