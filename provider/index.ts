import { createHost } from "./dynamic";
import { registry } from "./registry";

const host = createHost();

/**
 * What Pulumi's host of dynamic providers loads, and nothing else calls: one provider a kind, by the kind's name. The string in the
 * state of every resource names one of these, so the names are for ever.
 */
const providers: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(registry).map(([name, kind]) => [name, host.provider(kind)]),
);

export = providers;
