import { z } from "zod";
import { dynamicTestApplication } from "../../api";
import { property } from "../property";
import { testKind } from "./test-kind";

/** A dynamic test, which measures the network paths to the servers that an application uses in its sessions. */
export const dynamicTest = testKind({
  name: "DynamicTest",
  noun: "dynamic test",
  properties: {
    application: property(dynamicTestApplication),
    hasPathTraceInSession: property(z.boolean().optional(), { setOn: "create", leftToService: true }),
  },
  onDemand: () => ({ refused: "dynamic tests follow the sessions of users, and cannot be run at will" }),
  inRounds: { http: false, network: true, ofSessions: true },
  calls: (client) => client.dynamicTests,
});
