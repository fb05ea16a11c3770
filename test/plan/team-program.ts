/** A team's program: 40 sites with a tag each, ten applications, and a test of each application at each site. */
import type { EngineStep } from "../../engine/preview-output";
import { type KindName, registry } from "../../provider/registry";
import { unknownValue } from "../../provider/values";
import { step } from "../cli/review-support";

/** A resource of the program. */
export interface TeamResource {
  kind: KindName;
  name: string;
  inputs: Record<string, unknown>;
  /** Names of the tags that select a test's agents. */
  tags: readonly string[];
  /** Line of the declaration in index.ts. */
  line: number;
  parent?: string;
  /** Name of the explicit provider. */
  provider?: string;
  /** Secret properties that the update changes. A preview masks both values. */
  rotated?: readonly string[];
}

const sites = Array.from({ length: 40 }, (_, at) => `site-${String(at + 1).padStart(2, "0")}`);
export const apps = ["hr", "crm", "erp", "wiki", "mail", "chat", "vpn", "files", "build", "portal"];

export function teamProgram(): TeamResource[] {
  const tags = sites.map((site) => ({ kind: "endpointAgentTag" as const, name: site, inputs: tag(site), tags: [], line: 4 }));
  const tests = apps.flatMap((app) => sites.map((site) => testOf(app, site)));
  return [...tags, ...tests];
}

function tag(site: string): Record<string, unknown> {
  return { key: "site", value: site, matchType: "and", filters: [{ key: "hostname", mode: "in", values: [`${site}-*`] }] };
}

function testOf(app: string, site: string): TeamResource {
  const inputs = {
    testName: `${app} ${site}`,
    url: `https://${app}.example.com`,
    interval: 60,
    agentSelectorType: "agent-tags",
    ...(app === "wiki" && { authType: "basic", username: "probe", password: "[secret]" }),
  };
  return { kind: "httpServerTest", name: `${app}-${site}`, inputs, tags: [site], line: 10 + apps.indexOf(app) };
}

/** Returns the steps of an update from one program to another. */
export function teamSteps(before: readonly TeamResource[], after: readonly TeamResource[]): EngineStep[] {
  const keyOf = ({ kind, name, parent = "" }: TeamResource): string => `${kind} ${parent} ${name}`;
  const old = new Map(before.map((item, at) => [keyOf(item), { item, id: String(1000 + at) }]));
  const now = new Set(after.map(keyOf));
  const tagId = (name: string): unknown => old.get(`endpointAgentTag  ${name}`)?.id ?? unknownValue;
  const made = ({ inputs, tags }: TeamResource) => (tags.length > 0 ? { ...inputs, tagIds: tags.map(tagId) } : inputs);
  const changed = after.map((item): EngineStep => {
    const former = old.get(keyOf(item));
    const dependencies = { tagIds: item.tags.map((name): [KindName, string] => ["endpointAgentTag", name]) };
    const [was, is] = [former && made(former.item), made(item)];
    const changedAtCreation = registry[item.kind].createOnly.filter(
      (property) => was && JSON.stringify(was[property]) !== JSON.stringify(is[property]),
    );
    const replaced = [...changedAtCreation, ...(item.rotated ?? [])];
    const op = !was
      ? "create"
      : replaced.length > 0
        ? "replace"
        : JSON.stringify(was) === JSON.stringify(is)
          ? "same"
          : "update";
    const engineStep = step(op, item.kind, item.name, {
      ...(former && was && { id: former.id, before: was }),
      after: is,
      ...(item.tags.length > 0 && { dependencies }),
      ...(was && replaced.length > 0 && { reasons: replaced }),
    });
    return placed(withProviders(engineStep, former?.item.provider, item.provider), item);
  });
  const gone = before
    .filter((item) => !now.has(keyOf(item)))
    .map((item) =>
      placed(step("delete", item.kind, item.name, { id: old.get(keyOf(item))?.id ?? "", before: made(item) }), item),
    );
  return [...changed, ...gone];
}

/** Returns a step of a resource with explicit providers before and after the update. */
function withProviders(engineStep: EngineStep, before: string | undefined, after: string | undefined): EngineStep {
  const { oldState, newState } = engineStep;
  const reference = (name: string): string => `urn:pulumi:dev::test::pulumi:providers:pulumi-nodejs::${name}::id-${name}`;
  return {
    ...engineStep,
    ...(oldState && { oldState: { ...oldState, ...(before !== undefined && { provider: reference(before) }) } }),
    ...(newState && { newState: { ...newState, ...(after !== undefined && { provider: reference(after) }) } }),
  };
}

function placed(engineStep: EngineStep, { line, parent }: TeamResource): EngineStep {
  const urn = parent === undefined ? engineStep.urn : engineStep.urn.replace("test::", `test::${parent}$`);
  const sourcePosition = `project:///index.ts#${line},1`;
  return {
    ...engineStep,
    urn,
    ...(engineStep.oldState && { oldState: { ...engineStep.oldState, urn, sourcePosition } }),
    ...(engineStep.newState && { newState: { ...engineStep.newState, urn, sourcePosition } }),
  };
}

const edit = (change: (item: TeamResource) => TeamResource[]): TeamResource[] => teamProgram().flatMap(change);
const isOf = (app: string, { name }: TeamResource): boolean => name.startsWith(`${app}-`);
const withInputs = (item: TeamResource, inputs: Record<string, unknown>): TeamResource[] => [
  { ...item, inputs: { ...item.inputs, ...inputs } },
];
const renamed = (item: TeamResource): TeamResource[] =>
  isOf("hr", item)
    ? [
        {
          ...item,
          name: item.name.replace("hr", "people"),
          inputs: { ...item.inputs, testName: String(item.inputs["testName"]).replace("hr", "people") },
        },
      ]
    : [item];
const dropped = (item: TeamResource): TeamResource[] => (item.name.endsWith("site-40") ? [] : [item]);

/** Twelve common changes, each as the resulting program. */
export const teamChanges: Record<string, () => TeamResource[]> = {
  "equal-interval": () => edit((item) => (isOf("hr", item) ? withInputs(item, { interval: 300 }) : [item])),
  "site-dropped": () => edit(dropped),
  "application-renamed": () => edit(renamed),
  "tag-filter-changed": () =>
    edit((item) =>
      item.kind === "endpointAgentTag" && item.name === "site-07"
        ? withInputs(item, { filters: [{ key: "hostname", mode: "in", values: ["s07-*"] }] })
        : [item],
    ),
  "target-changed": () =>
    edit((item) => (isOf("vpn", item) ? [{ ...item, inputs: { ...item.inputs, url: "https://vpn2.example.com" } }] : [item])),
  "provider-changed": () => edit((item) => (isOf("files", item) ? [{ ...item, provider: "emea" }] : [item])),
  "moved-into-a-component": () => edit((item) => (isOf("crm", item) ? [{ ...item, parent: "my:app:Application" }] : [item])),
  "password-rotated": () => edit((item) => (isOf("wiki", item) ? [{ ...item, rotated: ["password"] }] : [item])),
  "account-group-changed": () => edit((item) => (isOf("mail", item) ? withInputs(item, { accountGroupId: "1002" }) : [item])),
  "test-type-changed": () =>
    edit((item) =>
      isOf("chat", item)
        ? [
            {
              ...item,
              kind: "agentToServerTest",
              inputs: {
                testName: item.inputs["testName"],
                server: "chat.example.com",
                interval: 60,
                agentSelectorType: "agent-tags",
              },
            },
          ]
        : [item],
    ),
  "one-of-40-differs": () =>
    edit((item) => (isOf("erp", item) ? withInputs(item, { interval: item.name === "erp-site-13" ? 120 : 300 }) : [item])),
  mixed: () =>
    edit((item) =>
      dropped(item)
        .flatMap(renamed)
        .flatMap((kept) => (isOf("erp", kept) ? withInputs(kept, { interval: 300 }) : [kept])),
    ),
  nothing: () => teamProgram(),
};
