export type Api = typeof import("../../api");

/** The client, loaded when a function is called, so that a program that calls none loads none. */
// `require` has no types; these are the module's.
export const loadApi = (): Api => require("../../api") as Api;
