import type { Handler } from "../handler";
import { accountGroupRoutes } from "./account-groups";
import { agentToServerTestRoutes } from "./agent-to-server-tests";
import { dynamicTestRoutes } from "./dynamic-tests";
import { httpServerTestRoutes } from "./http-server-tests";
import { labelRoutes } from "./labels";
import { tokenRoutes } from "./token";

/** Behaviour of every operation, an area a line. */
export const allHandlers: readonly Handler[] = [
  ...tokenRoutes,
  ...accountGroupRoutes,
  ...labelRoutes,
  ...agentToServerTestRoutes,
  ...httpServerTestRoutes,
  ...dynamicTestRoutes,
];
