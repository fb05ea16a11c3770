import { classOfToken, nameInNativeToken, nativeToken, typeToken } from "../sdk/token";

export const fronts = ["dynamic", "native"] as const;
export type Front = (typeof fronts)[number];

/** The modules that programs import, by provider type. */
export const frontModules: Readonly<Record<Front, string>> = {
  dynamic: "pulumi-endpoint-monitoring",
  native: "pulumi-endpoint-monitoring/native",
};

export function tokenOf(front: Front, className: string): string {
  return front === "native" ? nativeToken(className) : typeToken(className);
}

/** For a resource type of another provider, the result is undefined. */
export function frontOfToken(token: string): Front | undefined {
  if (classOfToken(token) === undefined) return undefined;
  return nameInNativeToken(token) === undefined ? "dynamic" : "native";
}
