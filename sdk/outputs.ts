/** Outputs that every kind has. */
export const commonOutputs = { accountGroupId: true, unknownFields: true, unmanagedFields: true } as const;

/** Outputs that every kind of test has. */
export const testOutputs = {
  ...commonOutputs,
  testName: true,
  agentSelectorType: true,
  agents: true,
  endpointAgentLabels: true,
  tagIds: true,
  maxMachines: true,
  interval: true,
  protocol: true,
  tcpProbeMode: true,
  ipVersion: true,
  isPrioritized: true,
  isEnabled: true,
  testId: true,
  createdDate: true,
  links: true,
} as const;

/** Outputs that every kind has that runs a test. */
export const runOutputs = { ...commonOutputs, triggers: true, waitForResults: true, expect: true, results: true } as const;

/** Outputs that every kind of instant test has. */
export const instantOutputs = {
  ...runOutputs,
  testName: true,
  agentSelectorType: true,
  agents: true,
  endpointAgentLabels: true,
  tagIds: true,
  maxMachines: true,
  ipVersion: true,
  testId: true,
  createdDate: true,
  links: true,
} as const;

/** Outputs of a test of an HTTP server, scheduled or instant, beyond those of every test. */
export const httpOutputs = {
  url: true,
  authType: true,
  username: true,
  password: true,
  httpTimeLimit: true,
  targetResponseTime: true,
  sslVersionId: true,
  verifyCertificate: true,
  networkMeasurements: true,
  hasPathTraceInSession: true,
} as const;
