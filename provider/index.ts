import "./compile-cache";
import { createHost } from "./dynamic";
import { registry } from "./registry";

const host = createHost();

/**
 * The providers that Pulumi's host of dynamic providers loads, by the name of their kind. Nothing else calls them. The state of every
 * resource holds such a name, so these names never change.
 */
const providers: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(registry).map(([name, kind]) => [name, host.provider(kind)]),
);

export = providers;
