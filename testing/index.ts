export { monitoringMocks, type DeclaredResource, type MocksOptions, type MonitoringMocks } from "./mocks";
export type { FunctionAnswers, ServiceSettings } from "./functions";
