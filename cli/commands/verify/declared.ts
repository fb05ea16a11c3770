import { stackOf } from "../../../engine/stacks";
import { relative } from "node:path";
import { settings } from "../../../api";
import { check } from "../../../provider/check";
import type { Kind } from "../../../provider/kind";
import { Lifecycle } from "../../../provider/lifecycle";
import { received } from "../../../provider/received";
import { registry } from "../../../provider/registry";
import { AgentFinder } from "../../../provider/resources/agent-finder";
import { applicable } from "../../../provider/resources/expectations";
import type { Session } from "../../../provider/session";
import { hasUnknown, type Properties, stringOf, unknownValue } from "../../../provider/values";
import { type ExitCode, type Invocation } from "../../command";
import type { VerifyValues } from "./options";
import { Project } from "../../../engine/project";
import { openSession } from "../../../engine/stack";
import { kindNameOf, type ManagedResource } from "../../../engine/state";
import { checkFiles, present } from "../../report/present";
import { counted } from "../../../common/text";
import { readConfiguration, type StackConfiguration } from "../validate/configuration";
import type { ValidatedResource } from "../validate/monitor";
import { runProgram } from "../validate/program-run";
import { boundsOf } from "./limits";
import { exitCode, isMeasured, verifyReport } from "./report";
import { agentLines, type Bounds, judgeRun, type TestVerdict, unmeasured } from "./test-run";
import { type SelectedTest, selectTests } from "./selected";
import { UsageError } from "../../../common/errors";

/** Properties that determine which agents run a test. */
const selection = new Set(["agentSelectorType", "agents", "endpointAgentLabels", "tagIds", "maxMachines"]);

/** Runs the tests that the program declares as instant tests, on the agents that `--agent` names. */
export async function verifyDeclared(
  options: VerifyValues,
  agentNames: readonly string[],
  { out, io }: Invocation,
): Promise<ExitCode> {
  for (const option of ["all", "rounds"] as const) {
    if (options[option] !== undefined) throw new UsageError(`--agent and --${option} cannot be used together`);
  }
  const bounds = boundsOf(options);
  checkFiles(options);
  const project = Project.open(io);
  if (project.runtime !== "nodejs")
    throw new UsageError(`The project's runtime is ${project.runtime}, but this command requires nodejs`, "work");
  const { stack, values, secrets } = await openedConfiguration(project, options.stack);
  const session = openSession(io, (setting) => values[`endpoint-monitoring:${setting}`]);
  out.progress(`Running the program of ${project.name}`, "terminal");
  const { declarations, failure } = await runProgram(project, { stack, values, secrets }, () => undefined);
  if (failure !== undefined) throw new UsageError(`The program failed:\n${failure}`, "work");

  const group = values["endpoint-monitoring:accountGroupId"] ?? io.env[settings.accountGroupId.env];
  const hidden = secrets.map((key) => values[key] ?? "").filter((value) => value !== "");
  const resources = declarations.flatMap(
    (declaration) => declared(fromFolder(declaration, io.cwd), stack, group, hidden) ?? [],
  );
  const tests = selectTests(resources, options.test ?? "all", undefined).map(refusedIfUnknown);
  const agents = new Map<string | undefined, string[]>();
  for (const groupId of new Set(tests.map(groupOf))) agents.set(groupId, await idsOf(agentNames, session, groupId));
  out.progress(`Running ${counted(tests.length, "test")}`);
  const verdicts = await Promise.all(tests.map((test) => judge(session, test, agents.get(groupOf(test)) ?? [], bounds)));
  const lines = new Map<TestVerdict, string[]>();
  for (const verdict of verdicts) lines.set(verdict, await agentLines(session, verdict));
  const verification = { stack, update: undefined, isDeclared: true, bounds, verdicts, agents: lines };
  const unwritten = present(verifyReport(verification, "The program declares no tests."), options, out, io);
  if (unwritten !== undefined) out.error(unwritten);
  const lacksTests = options["require-tests"] === true && !isMeasured(verdicts);
  return unwritten === undefined ? exitCode(verdicts, lacksTests) : 1;
}

/** Returns a stack's configuration with decrypted secrets. Starts the engine only if the configuration contains secrets. */
async function openedConfiguration(project: Project, name: string | undefined): Promise<StackConfiguration> {
  const { stack, values, secrets } = readConfiguration(project, name);
  if (secrets.length === 0) return { stack, values, secrets };
  const opened = await (await stackOf(project, stack)).wholeConfiguration();
  return {
    stack,
    values: { ...values, ...Object.fromEntries(secrets.map((key) => [key, opened[key]?.value ?? ""])) },
    secrets,
  };
}

function fromFolder(declaration: ValidatedResource, folder: string): ValidatedResource {
  const { position } = declaration;
  return position ? { ...declaration, position: { ...position, file: relative(folder, position.file) } } : declaration;
}

/**
 * Converts a declared resource to the object that represents a resource in the state.
 * @param hidden secret values in the stack's configuration
 */
function declared(
  { type, name, properties, position, urn }: ValidatedResource,
  stack: string,
  accountGroupId: string | undefined,
  hidden: readonly string[],
): ManagedResource | undefined {
  const kindName = kindNameOf(type);
  if (kindName === undefined) return undefined;
  const kind: Kind = registry[kindName];
  const { inputs, failures } = check(kind, received(properties, unknownValue).properties, { accountGroupId });
  if (failures.length > 0)
    throw new UsageError(`${kind.name} ${name} has mistakes. \`endpoint-monitoring validate\` lists them`, "work");
  const secrets = Object.keys(inputs).filter((key) => hidden.some((secret) => JSON.stringify(inputs[key]).includes(secret)));
  const state = { inputs, outputs: inputs, secrets: new Set(secrets), protect: false, ignoreChanges: [] };
  return { stack, urn, name, kindName, kind, id: "", position, ...state };
}

function groupOf({ resource }: SelectedTest): string | undefined {
  return stringOf(resource.inputs["accountGroupId"]);
}

function refusedIfUnknown(selectedTest: SelectedTest): SelectedTest {
  const needed = Object.entries(selectedTest.resource.inputs).filter(([property]) => !selection.has(property));
  const unknown = needed.filter(([, value]) => hasUnknown(value)).map(([property]) => property);
  return unknown.length === 0
    ? selectedTest
    : { ...selectedTest, refused: `${unknown.join(", ")} is known only after the update` };
}

/**
 * Finds agents in an account group by name or id, and returns their ids.
 * @throws UsageError if an agent does not exist or is ambiguous
 */
async function idsOf(agents: readonly string[], session: Session, group: string | undefined): Promise<string[]> {
  const candidates = await AgentFinder.of(session).all(group);
  return agents.map((wanted) => {
    const [agent, secondAgent] = candidates.filter(({ id, name, computerName }) => [id, name, computerName].includes(wanted));
    if (agent && !secondAgent) return agent.id;
    throw new UsageError(
      `There is ${agent ? "more than one" : "no"} agent "${wanted}"${group ? ` in account group ${group}` : ""}`,
      "work",
    );
  });
}

async function judge(session: Session, selectedTest: SelectedTest, agents: string[], bounds: Bounds): Promise<TestVerdict> {
  if (selectedTest.refused !== undefined) return unmeasured(selectedTest);
  const { kind: scheduled, inputs } = selectedTest.resource;
  // The value is defined, because every test that can run on demand has an instant resource type.
  const kind = Object.values(registry).find(({ name }) => name === scheduled.instant) as Kind;
  const testProperties = Object.entries(inputs).filter(([property]) => property in kind.properties && !selection.has(property));
  const declaredRun: Properties = {
    ...Object.fromEntries(testProperties),
    agentSelectorType: "specific-agents",
    agents,
    expect: applicable(bounds.expect, { http: selectedTest.http ?? false, network: selectedTest.network ?? false }),
    waitForResults: bounds.waitForResults,
  };
  return judgeRun(new Lifecycle(kind, session), selectedTest, declaredRun);
}
