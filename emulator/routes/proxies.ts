import { operations } from "../../api/schemas";
import { handle } from "../handler";

export const proxyRoutes = [
  handle(
    operations.proxies.list,
    ({ service }) => ({ body: { proxies: service.settings.proxies.map((proxy) => ({ ...proxy })) } }),
    {
      mediaType: "application/json",
    },
  ),
];
