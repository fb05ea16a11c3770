import { operations } from "../../api/schemas";
import { handle } from "../handler";
import { dynamicKind } from "../model/dynamic-test";
import { createTest, deleteTest, filled, getTest, listTests, updateTest } from "./tests";

const calls = operations.dynamicTests;
const kind = dynamicKind;

export const dynamicTestRoutes = [
  handle(calls.list, (call) => listTests(call, kind)),
  handle(calls.create, (call) => {
    const { application, tcpProbeMode = "auto", hasPathTraceInSession = true } = call.body;
    return createTest(call, kind, { ...filled(call.service, call.body), application, tcpProbeMode, hasPathTraceInSession });
  }),
  handle(calls.get, (call) => getTest(call, kind)),
  handle(calls.update, (call) => updateTest(call, kind, call.body)),
  handle(calls.delete, (call) => deleteTest(call, kind)),
];
