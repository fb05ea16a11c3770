import { ownManifest } from "./manifest";

let cachedUserAgent: string | undefined;

/** Returns the User-Agent header, for the logs of the service and of proxies: `pulumi-endpoint-monitoring/0.1.0 (node 24.1.0; linux)`. */
export function userAgent(): string {
  if (cachedUserAgent === undefined) {
    const { name, version } = ownManifest();
    cachedUserAgent = `${name}/${version} (node ${process.versions.node}; ${process.platform})`;
  }
  return cachedUserAgent;
}
