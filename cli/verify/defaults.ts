/** Defaults of options: seconds and percent. */
export const verifyDefaults = { timeout: 120, settle: 5, minAvailability: 100 };

/** Name of the stack's tag that holds the ids of tests which have not passed since they were red. */
export const memoryTag = "endpoint-monitoring:unverified";
