import { classOfToken, nameInNativeToken, nativeToken, typeToken } from "../sdk/token";

/** The two ways to provide resources: dynamic resources and the native plugin. */
export const fronts = ["dynamic", "native"] as const;
export type Front = (typeof fronts)[number];

/** The module of each provider type that programs import. */
export const frontModules: Readonly<Record<Front, string>> = {
  dynamic: "pulumi-endpoint-monitoring",
  native: "pulumi-endpoint-monitoring/native",
};

export function tokenOf(front: Front, className: string): string {
  return front === "native" ? nativeToken(className) : typeToken(className);
}

/** Resource types of other providers have no result. */
export function frontOfToken(token: string): Front | undefined {
  if (classOfToken(token) === undefined) return undefined;
  return nameInNativeToken(token) === undefined ? "dynamic" : "native";
}
