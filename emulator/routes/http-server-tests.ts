import { operations } from "../../api/schemas";
import { handle } from "../handler";
import { httpServerKind, locate, type RequestedHttpServerTest, type StoredHttpServerTest } from "../model/http-server-test";
import type { Service } from "../service";
import { createTest, deleteTest, filled, getTest, listTests, updateTest } from "./tests";

const calls = operations.httpServerTests;
const kind = httpServerKind;

/** @throws Problem 400 if the test's URL is invalid */
export function httpServerTestOf(service: Service, body: RequestedHttpServerTest): StoredHttpServerTest {
  return {
    ...filled(service, body),
    url: storedUrl(service, body.url),
    tcpProbeMode: body.tcpProbeMode ?? "auto",
    networkMeasurements: body.networkMeasurements ?? true,
    hasPathTraceInSession: body.hasPathTraceInSession ?? true,
    authType: body.authType ?? "none",
    username: body.username,
    password: body.password,
    httpTimeLimit: body.httpTimeLimit ?? 5000,
    targetResponseTime: body.targetResponseTime ?? 1000,
    sslVersionId: body.sslVersionId ?? "0",
    verifyCertificate: body.verifyCertificate ?? true,
  };
}

/**
 * Returns a test's `url` for a response, in the form that the option `urlPort` selects.
 *
 * @throws Problem 400 if the URL is invalid
 */
function storedUrl({ settings }: Service, text: string): string {
  const { url } = locate(text);
  return settings.urlPort === "added" ? url : text;
}

export const httpServerTestRoutes = [
  handle(calls.list, (call) => listTests(call, kind)),
  handle(calls.create, (call) => createTest(call, kind, httpServerTestOf(call.service, call.body))),
  handle(calls.get, (call) => getTest(call, kind)),
  handle(calls.update, (call) => {
    const { url, ...rest } = call.body;
    return updateTest(call, kind, { ...rest, ...(url !== undefined && { url: storedUrl(call.service, url) }) });
  }),
  handle(calls.delete, (call) => deleteTest(call, kind)),
];
