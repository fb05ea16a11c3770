import { createHost, type KindProvider } from "./dynamic";
import { registry, type KindName } from "./registry";

const host = createHost();

/**
 * What the host of dynamic providers loads: one provider a kind, by the kind's name. The string in the state of every resource
 * names one of these, so the names are for ever.
 */
const providers = Object.fromEntries(Object.entries(registry).map(([name, kind]) => [name, host.provider(kind)]));

// Made by walking the very table that KindName is typed from.
export = providers as Record<KindName, KindProvider>;
