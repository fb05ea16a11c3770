import { classOfToken, nameInNativeToken, nativeToken, typeToken } from "../sdk/token";

/** The two ways to provide resources, as options spell them: dynamic resources and the native plugin. */
export const fronts = ["dynamic", "native"] as const;
export type Front = (typeof fronts)[number];

/** The module with the classes of a front, for the program's imports. */
export const frontModules: Readonly<Record<Front, string>> = {
  dynamic: "pulumi-endpoint-monitoring",
  native: "pulumi-endpoint-monitoring/native",
};

export function tokenOf(front: Front, className: string): string {
  return front === "native" ? nativeToken(className) : typeToken(className);
}

/** Returns the front of a type token; undefined for another provider's token. */
export function frontOfToken(token: string): Front | undefined {
  if (classOfToken(token) === undefined) return undefined;
  return nameInNativeToken(token) === undefined ? "dynamic" : "native";
}
