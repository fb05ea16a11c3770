import { ownManifest } from "./manifest";

let text: string | undefined;

/** Who asks, for the logs of the service and of what stands between: `pulumi-endpoint-monitoring/0.1.0 (node 24.1.0; linux)`. */
export function userAgent(): string {
  if (text === undefined) {
    const { name, version } = ownManifest();
    text = `${name}/${version} (node ${process.versions.node}; ${process.platform})`;
  }
  return text;
}
