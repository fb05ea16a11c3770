import { operations } from "../../api/schemas";
import { handle } from "../handler";
import { dynamicKind } from "../model/dynamic-test";
import { createTest, deleteTest, filled, getTest, listTests, updateTest } from "./tests";

const own = operations.dynamicTests;
const kind = dynamicKind;

export const dynamicTestRoutes = [
  handle(own.list, (call) => listTests(call, kind)),
  handle(own.create, (call) => {
    const { application, tcpProbeMode = "auto", hasPathTraceInSession = true } = call.body;
    return createTest(call, kind, { ...filled(call.service, call.body), application, tcpProbeMode, hasPathTraceInSession });
  }),
  handle(own.get, (call) => getTest(call, kind)),
  handle(own.update, (call) => updateTest(call, kind, call.body)),
  handle(own.delete, (call) => deleteTest(call, kind)),
];
