import * as pulumi from "@pulumi/pulumi";
import { settings } from "../api";
import { jsonOf, runEngine } from "../engine/run";
import { openSession } from "../engine/stack";
import { heldStateIn, isState } from "../engine/state";
import { closeAll, type Io } from "../engine/io";
import { type PlannedOperation } from "../plan/model";
import { silent } from "../common/progress";
import { judge } from "../plan/judge/judge";
import { checkNames, type Limits, reachChecks, reviewChecks, type CheckName } from "../plan/judge/checks";
import type { PolicyResource } from "./resource";
import { stepsBetween } from "./steps";
import { UsageError } from "../common/errors";
import { phraseText } from "../common/phrase";
import { operationOf } from "../plan/steps";
import type { Judgement } from "../plan/judge/model";

/**
 * The effect of a policy violation. With `mandatory`, a violation makes the preview fail. With `advisory`, the preview only reports the
 * violation.
 */
export type EnforcementLevel = "advisory" | "mandatory" | "disabled";

/** Options of {@link reviewPolicies}. */
export interface ReviewPolicyOptions extends Limits {
  /**
   * Enforcement level of each rule, by the rule names of `endpoint-monitoring review --fail-on`. Default: `advisory` for every
   * rule.
   */
  readonly levels?: Partial<Record<CheckName, EnforcementLevel>>;
  /**
   * The project's folder. The stack's backend comes from PULUMI_BACKEND_URL, the project's settings or the current login.
   * Default: Pulumi's working folder.
   */
  readonly folder?: string;
}

/** A policy in the format that `@pulumi/policy` accepts. */
export interface ReviewPolicy {
  readonly name: CheckName;
  readonly description: string;
  readonly enforcementLevel: EnforcementLevel;
  validateStack(
    args: { readonly resources: readonly PolicyResource[] },
    report: (message: string, urn?: string) => void,
  ): Promise<void>;
}

/**
 * Returns a policy for each rule of `endpoint-monitoring review --fail-on`, except `address` and `adopts-foreign`. Like a review,
 * the policies evaluate a preview with the stack's state and the service's records. The policies report nothing during an update, because the preview has already
 * reported all violations.
 *
 * @example
 * ```ts
 * // In a pack: new PolicyPack("endpoint-monitoring", { policies })
 * const policies = reviewPolicies({ levels: { "selects-all": "mandatory" } });
 * ```
 */
export function reviewPolicies(options: ReviewPolicyOptions = {}): ReviewPolicy[] {
  let judged: Promise<Judgement | string> | undefined;
  // The engine starts a new policy pack for each preview, so all policies of a pack can share one evaluation.
  const judgement = (resources: readonly PolicyResource[]) => (judged ??= judgeStack(resources, options));
  // The rule `address` is excluded, because it must run before the first request. When policies run, the preview has already sent requests.
  // The rule `adopts-foreign` is excluded, because it needs the states of other stacks.
  const rules = checkNames.filter((name) => name !== "address" && name !== "adopts-foreign");
  return rules.map((name) => ({
    name,
    description: `Reports that ${reviewChecks[name]}`,
    enforcementLevel: options.levels?.[name] ?? "advisory",
    async validateStack({ resources }, report) {
      if (!pulumi.runtime.isDryRun()) return;
      const result = await judgement(resources);
      if (typeof result === "string") return report(`This rule could not be checked: ${result}`);
      const { findings, warnings, isBlind } = result;
      const matching = findings.filter(({ rule }) => rule === name);
      for (const { text, subject } of matching) report(phraseText(text), subject?.urn);
      if (matching.length === 0 && isBlind && reachChecks.has(name)) {
        report(`This rule could not be checked: ${warnings.map((warning) => phraseText(warning)).join("; ")}`);
      }
    },
  }));
}

/** Returns the review of a stack, or the reason why a review is impossible. */
async function judgeStack(resources: readonly PolicyResource[], options: ReviewPolicyOptions): Promise<Judgement | string> {
  const io = quietIo(options.folder ?? process.env["PWD"] ?? process.cwd());
  try {
    const config = new pulumi.Config("endpoint-monitoring");
    const operation = await operationWith(resources, config, io);
    const session = () => Promise.resolve(openSession(io, (name) => config.get(name)));
    const { levels: _levels, folder: _folder, ...limits } = options;
    return await judge({ operation, session }, silent, { limits });
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  } finally {
    await closeAll(io);
  }
}

async function operationWith(resources: readonly PolicyResource[], config: pulumi.Config, io: Io): Promise<PlannedOperation> {
  const [stack, project] = [pulumi.getStack(), pulumi.getProject()];
  const name = [pulumi.getOrganization(), project, stack].join("/");
  const run = await runEngine(io, io.cwd, ["stack", "export", "--show-secrets", "--stack", name]);
  const heldState = heldStateIn(jsonOf(`The state of stack ${name} cannot be read`, run, isState));
  const setting = (of: "adopt" | "replaceOrder") => config.get(of) || process.env[settings[of].env];
  const [adopt, createsFirst] = [setting("adopt"), setting("replaceOrder") === "create-first"];
  const steps = stepsBetween(heldState.resources, resources);
  return operationOf({ stack, project, steps, createsFirst, ...(adopt !== undefined && { adopt }) }, heldState);
}

/** Returns an `Io` object that prints nothing, because the engine reads the output of the policy pack. */
function quietIo(cwd: string): Io {
  const nowhere = { write: () => undefined };
  return { stdout: nowhere, stderr: nowhere, stdin: process.stdin, env: process.env, cwd, onInterrupt: () => () => undefined };
}
