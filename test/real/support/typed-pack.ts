/**
 * A policy pack of the standard typed helpers, with each class of both fronts. `policy-typed.test.ts` runs it on the engine.
 */
import {
  PolicyPack,
  remediateResourceOfType,
  type ResourceValidationPolicy,
  type StackValidationPolicy,
  validateResourceOfType,
} from "@pulumi/policy";
import type { Resource } from "@pulumi/pulumi";
import * as dynamic from "pulumi-endpoint-monitoring";
import * as native from "pulumi-endpoint-monitoring/native";

type AnyClass = new (name: string, args: { accountGroupId?: string }) => Resource;

const names = [
  "Label",
  "EndpointAgentTag",
  "AgentToServerTest",
  "HttpServerTest",
  "DynamicTest",
  "EndpointAgent",
  "AgentTransfer",
  "AgentToServerInstantTest",
  "HttpServerInstantTest",
  "TestRun",
] as const;

const classes = names.flatMap((name) =>
  // The arguments of the classes only share the account group.
  [dynamic, native].map(
    (front) => [front === native ? "native" : "dynamic", name, front[name] as unknown as AnyClass] as const,
  ),
);

const validations = classes.map(([front, name, Class]): ResourceValidationPolicy => ({
  name: `validate-${front}-${name.toLowerCase()}`,
  description: "Reports every resource of a class",
  validateResource: validateResourceOfType(Class, (_args, { name: resource }, report) =>
    report(`seen ${front} ${name} ${resource}`),
  ),
}));

const wholeStack: StackValidationPolicy = {
  name: "whole-stack",
  description: "Counts the resources of each class",
  validateStack({ resources }, report) {
    for (const [front, name, Class] of classes) {
      const matching = resources.filter((resource) => resource.isType(Class));
      const typed = resources.filter((resource) => resource.asType(Class) !== undefined);
      report(`stack ${front} ${name} ${matching.length} ${typed.length}`);
    }
  },
};

// The compiler knows the arguments of a class.
const typed: ResourceValidationPolicy[] = [
  {
    name: "typed",
    description: "Reports the URL and interval of a test",
    validateResource: validateResourceOfType(dynamic.HttpServerTest, ({ url, interval }, _args, report) => {
      if (url.includes("://")) report(`typed ${url} ${(interval ?? 60).toFixed(0)}`);
    }),
  },
  {
    name: "remediated",
    description: "Sets maxMachines",
    enforcementLevel: "remediate",
    remediateResource: remediateResourceOfType(dynamic.HttpServerTest, (test) => ({ ...test, maxMachines: 7 })),
  },
];

export const pack = new PolicyPack("typed", { enforcementLevel: "advisory", policies: [...validations, wholeStack, ...typed] });
