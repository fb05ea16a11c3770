/** The two ways to provide resources, and the words of command lines for them: dynamic providers, and the native plugin. */
export const fronts = ["dynamic", "native"] as const;
export type Front = (typeof fronts)[number];

/** The module that a program takes the classes of a front from. */
export const frontModules: Readonly<Record<Front, string>> = {
  dynamic: "pulumi-endpoint-monitoring",
  native: "pulumi-endpoint-monitoring/native",
};
