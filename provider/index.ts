import { createHost, type KindProvider } from "./dynamic";
import { registry, type KindName } from "./registry";

const host = createHost();

/**
 * The providers that the host of dynamic providers loads, by the name of their kind. The state of every resource holds such a name, so
 * these names never change.
 */
const providers = Object.fromEntries(Object.entries(registry).map(([name, kind]) => [name, host.provider(kind)]));

// Built from the table from which KindName is derived.
export = providers as Record<KindName, KindProvider>;
