import { readSettings } from "../../api";
import { judgementOf } from "../../plan/judge/judgement";
import { reviewReport } from "../../cli/commands/review/report";
import { type PlannedOperation } from "../../plan/model";
import { readService, type ServiceView } from "../../plan/service";
import { readPreview } from "../../engine/preview";
import * as markdown from "../../cli/report/markdown";
import { Output } from "../../cli/report/output";
import * as terminal from "../../cli/report/terminal";
import { check } from "../../provider/check";
import type { Kind } from "../../provider/kind";
import type { Properties } from "../../provider/values";
import { registry, type KindName } from "../../provider/registry";
import { Session } from "../../provider/session";
import { typeToken } from "../../sdk/token";
import { silentIo } from "../support/command";
import type { EngineStep } from "../../engine/preview-output";
import type { EngineResource } from "../../engine/state";
import { operationOf } from "../../plan/steps";
import type { Judgement } from "../../plan/judge/model";

/** The parts of a preview step. */
export interface Made {
  /** The id of an existing record. */
  id?: string;
  /** The inputs before and after the change, checked, so that they contain defaults. */
  before?: Properties;
  after?: Properties;
  /** Additional properties of the state. */
  outputs?: Properties;
  protect?: boolean;
  /** Additional properties of the new state. @defaultValue `protect` */
  protectNow?: boolean;
  reasons?: string[];
  /** Names of the resources that each property refers to. */
  dependencies?: Record<string, [KindName, string][]>;
  rest?: Partial<EngineResource>;
}

export function urnOf(kindName: KindName, name: string): string {
  return `urn:pulumi:dev::test::${typeToken(registry[kindName].name)}::${name}`;
}

/** Options in the resource's declaration. */
function optionsIn({ retainOnDelete, deletedWith, ignoreChanges, additionalSecretOutputs }: Partial<EngineResource> = {}) {
  return { retainOnDelete, deletedWith, ignoreChanges, additionalSecretOutputs };
}

const checked = new Map<string, Properties>();

/** Returns the inputs with which the engine declares a resource. Many steps declare the same values. */
function inputsOf(kindName: KindName, args: Properties): Properties {
  const key = JSON.stringify([kindName, args]);
  const inputs = checked.get(key) ?? check(registry[kindName], args).inputs;
  checked.set(key, inputs);
  return { __provider: "exports.handler=…", ...inputs };
}

/** A step as the engine prints it. */
export function step(op: string, kindName: KindName, name: string, made: Made = {}): EngineStep {
  const { id, before, after, outputs, protect = false, protectNow = protect, reasons, dependencies = {}, rest } = made;
  const urn = urnOf(kindName, name);
  const kind: Kind = registry[kindName];
  const type = typeToken(kind.name);
  const declared = (args: Properties): Properties => inputsOf(kindName, args);
  const propertyDependencies = Object.fromEntries(
    Object.entries(dependencies).map(([property, sources]) => [property, sources.map((source) => urnOf(...source))]),
  );
  return {
    op,
    urn,
    ...(before && {
      oldState: {
        urn,
        type,
        id,
        inputs: declared(before),
        outputs: { ...declared(before), accountGroupId: "1001", ...outputs },
        protect,
        ...rest,
      },
    }),
    ...(after && {
      newState: { urn, type, inputs: declared(after), ...optionsIn(rest), protect: protectNow, propertyDependencies },
    }),
    ...(reasons && { replaceReasons: reasons }),
  };
}

/** The output of `pulumi preview --json` with these steps. */
export function previewText(steps: readonly EngineStep[], diagnostics: readonly object[] = [], config: object = {}): string {
  const stack = {
    op: "same",
    urn: "urn:pulumi:dev::test::pulumi:pulumi:Stack::test-dev",
    newState: { urn: "urn:pulumi:dev::test::pulumi:pulumi:Stack::test-dev", type: "pulumi:pulumi:Stack" },
  };
  return JSON.stringify({ config, steps: [stack, ...steps], diagnostics, changeSummary: {} });
}

/** A session with an emulator. */
export function sessionWith(url: string, token = "emulator-token"): Session {
  const configured: Record<string, string> = { baseUrl: url, token };
  return new Session(readSettings((name) => configured[name], {}));
}

/**
 * Reads the service for these steps and reviews them.
 *
 * @param config settings of the stack
 * @param ofOtherStacks resources of the project's other stacks
 */
export async function reviewed(
  url: string,
  steps: readonly EngineStep[],
  config?: object,
  ofOtherStacks: PlannedOperation["ofOtherStacks"] = [],
): Promise<Judgement & { service: ServiceView }> {
  const operation = { ...operationOf(readPreview(previewText(steps, [], config), "test")), ofOtherStacks };
  const session = sessionWith(url);
  try {
    const service = await readService(session, operation.own, new Output(false, silentIo()));
    return { ...judgementOf(operation, service), service };
  } finally {
    await session.client.close();
  }
}

/** The review of these steps without the service. */
export function offline(steps: readonly EngineStep[], config?: object): Judgement {
  return judgementOf(operationOf(readPreview(previewText(steps, [], config), "test")));
}

/** A review as Markdown with at most this number of characters. */
export function toMarkdown(judgement: Judgement, limit?: number): string {
  return markdown.toMarkdown(reviewReport(judgement).blocks("markdown"), limit);
}

/** A review on a terminal without colors. */
export function toTerminal(judgement: Judgement, details = false, columns?: number): string {
  return terminal.toTerminal(reviewReport(judgement, { details }).blocks("terminal"), {
    paint: (_style, text) => text,
    columns,
  });
}

/** Returns the lines of a page that are visible before the reader opens a section. */
export function visibleLines(page: string): string[] {
  const innermost = /<details><summary>((?:(?!<summary>)[^])*?)<\/summary>(?:(?!<details>)[^])*?<\/details>/g;
  let visible = page;
  for (let before = ""; before !== visible;) [before, visible] = [visible, visible.replaceAll(innermost, "$1")];
  return visible.trimEnd().split("\n");
}
