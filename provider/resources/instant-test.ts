import { z } from "zod";
import { tcpProbeMode, type AgentToServerTestRecord, type Client } from "../../api";
import { defineKind, type Advice, type CheckFailure, type Kind, type Measures } from "../kind";
import { createOnly, property, type PropertyMap, type SchemaOf } from "../property";
import type { Session } from "../session";
import { createBody, inputsOfRecord } from "../state";
import { type Properties, compact } from "../values";
import { expectationRules } from "./expectations";
import { runOutputs, runProperties } from "./measurements";
import { scheduleOf } from "./test-reach";
import { selectionRules, testOutputs, testOutputsOf, testProperties } from "./test-properties";

// `run-handler.ts` is loaded on demand, because previews and checks run no tests.
const handlers = (): typeof import("./run-handler") => require("./run-handler") as typeof import("./run-handler");

// An instant test runs only once, so properties for repeated rounds do not apply. A program cannot adopt an instant test.
const {
  interval: _interval,
  isPrioritized: _isPrioritized,
  isEnabled: _isEnabled,
  adopt: _adopt,
  protocol,
  tcpProbeMode: _tcpProbeMode,
  ...shared
} = testProperties;

export const probeProperties = { protocol, tcpProbeMode: property(tcpProbeMode.default("auto")) };

const outputs = { ...testOutputs, ...runOutputs };

type InstantProperties<M extends PropertyMap> = typeof shared & M & typeof runProperties;

interface InstantTestDeclaration<M extends PropertyMap, R extends AgentToServerTestRecord> {
  name: string;
  noun: string;
  properties: M;
  measures: (inputs: Properties) => Measures;
  rules(inputs: Partial<z.output<SchemaOf<M>>>, isGiven: (property: keyof M & string) => boolean): CheckFailure[];
  advice?(inputs: Partial<z.output<SchemaOf<M>>>): CheckFailure[];
  newRecordAdvice?: (inputs: Properties) => Advice[];
  start: (client: Client, body: Properties, accountGroupId: string | undefined) => Promise<R>;
}

/**
 * Declares a type of instant test. A change to a property runs the test again, unless the property only affects how the provider waits for
 * results or checks results.
 */
export function instantKind<const M extends PropertyMap, R extends AgentToServerTestRecord>(
  declaration: InstantTestDeclaration<M, R>,
): Kind<InstantProperties<M>, typeof outputs> {
  const { measures, start } = declaration;
  const kind: Kind<InstantProperties<M>, typeof outputs> = defineKind<InstantProperties<M>, typeof outputs>({
    name: declaration.name,
    noun: declaration.noun,
    properties: { ...createOnly({ ...shared, ...declaration.properties }), ...runProperties },
    outputs,
    nameProperty: "testName",
    replacementCost: "the test is run again",
    reach: { means: "test", scheduled: false, schedule: scheduleOf },
    rules: (inputs, isGiven) => [
      ...selectionRules(inputs, isGiven),
      ...declaration.rules(inputs, isGiven),
      ...expectationRules((inputs as Properties)["expect"], measures(inputs)),
    ],
    ...(declaration.advice && { advice: (properties: Properties) => declaration.advice?.(properties as never) ?? [] }),
    newRecordAdvice: declaration.newRecordAdvice,
    handler: (session: Session) =>
      new (handlers().RunHandler)(kind, session, {
        async start(client, inputs, accountGroupId) {
          const record = await start(client, createBody(kind, inputs), accountGroupId);
          const answered = compact(inputsOfRecord(kind, record));
          return { testId: record.testId, ...measures(inputs), answered: { ...answered, ...testOutputsOf(record) } };
        },
      }),
  });
  return kind;
}
