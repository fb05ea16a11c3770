import type { z } from "zod";
import { type HttpServerTestRecord, type httpServerTestRequest, operations } from "../../api/schemas";
import { handle } from "../handler";
import { targetOf } from "../measure/targets";
import { standardStyle } from "../problem";
import type { Service } from "../service";
import {
  createTest,
  deleteTest,
  filled,
  getTest,
  listTests,
  type StoredTest,
  testCollection,
  type TestKind,
  updateTest,
} from "./tests";

type Requested = z.output<typeof httpServerTestRequest>;

/** The request, filled up; `password` and `targetResponseTime` are kept and never answered. */
export interface StoredHttpServerTest extends StoredTest {
  url: string;
  authType: NonNullable<Requested["authType"]>;
  username?: string;
  password?: string;
  httpTimeLimit: number;
  targetResponseTime: number;
  sslVersionId: NonNullable<Requested["sslVersionId"]>;
  verifyCertificate: boolean;
}

const own = operations.httpServerTests;

/** Words for the choices of `sslVersionId`; only that of 0 is in the samples. */
const sslVersions: Record<StoredHttpServerTest["sslVersionId"], string> = {
  "0": "Auto",
  "3": "SSLv3",
  "4": "TLSv1.0",
  "5": "TLSv1.1",
  "6": "TLSv1.2",
  "7": "TLSv1.3",
};

export const httpServerKind: TestKind<StoredHttpServerTest, HttpServerTestRecord> = {
  collection: testCollection("http-server-tests"),
  path: own.list.path,
  results: "/v7/endpoint/test-results/scheduled-tests",
  duplicateName: 400,
  own: ({ url, authType, username, httpTimeLimit, sslVersionId, verifyCertificate }) => {
    const { hostname, port } = locate(url);
    return {
      type: "http-server",
      url,
      server: hostname,
      port,
      authType,
      ...(username !== undefined && { username }),
      httpTimeLimit,
      sslVersionId,
      verifyCertificate,
      followRedirects: true,
      // What it follows is not known; the samples have 100 beside a target response time of 1000.
      httpTargetTime: 100,
      httpVersion: 2,
      sslVersion: sslVersions[sslVersionId],
      useNtlm: authType === "ntlm",
      isSavedEvent: false,
    };
  },
  plans: ({ url, ipVersion, networkMeasurements, authType, username = "", password = "", ...test }) => {
    if (!URL.canParse(url)) return [];
    const tls = { sslVersionId: test.sslVersionId, verifyCertificate: test.verifyCertificate };
    const basic = authType === "basic" ? { username, password } : undefined;
    const http = { url, ipVersion, basic, timeLimit: test.httpTimeLimit, ...tls };
    return [{ target: targetOf(new URL(url)), ipVersion, network: networkMeasurements, http }];
  },
};
const kind = httpServerKind;

/** A test as the request asks for it, filled up. @throws Problem 400 when its URL is none */
export function httpServerTestOf(service: Service, body: Requested): StoredHttpServerTest {
  return {
    ...filled(service, body),
    url: locate(body.url).url,
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

export const httpServerTestRoutes = [
  handle(own.list, (call) => listTests(call, kind)),
  handle(own.create, (call) => createTest(call, kind, httpServerTestOf(call.service, call.body))),
  handle(own.get, (call) => getTest(call, kind)),
  handle(own.update, (call) => {
    const { url, ...rest } = call.body;
    return updateTest(call, kind, { ...rest, ...(url !== undefined && { url: locate(url).url }) });
  }),
  handle(own.delete, (call) => deleteTest(call, kind)),
];

/** A URL with scheme and port, as samples come back with them; https where none is said. @throws Problem 400 */
function locate(given: string): { url: string; hostname: string; port: number } {
  const [, scheme = "https", rest = given] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(given) ?? [];
  const [authority = ""] = /^[^/?#]*/.exec(rest) ?? [];
  const [, hostname = authority, said] = /^(.*):(\d+)$/.exec(authority) ?? [];
  const standard = { http: 80, https: 443 }[scheme.toLowerCase()];
  if (standard === undefined || !URL.canParse(`${scheme}://${authority}`) || /[@\s]|:$/.test(authority)) {
    throw standardStyle.invalid("body", [{ code: "invalid", field: "url", message: "must be an http or https URL" }]);
  }
  const port = Number(said ?? standard);
  return { url: `${scheme.toLowerCase()}://${hostname}:${port}${rest.slice(authority.length)}`, hostname, port };
}
