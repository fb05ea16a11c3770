import { isObject, type Properties, sameValue } from "../../provider/values";
import type { EngineResource } from "../engine/state";
import type { PropertyChange } from "../report/changes";
import { compareText } from "../report/text";

/** Options of the engine that decide what it does to a resource in this operation, or in a later one. */
const optionNames = [
  "protect",
  "retainOnDelete",
  "deletedWith",
  "ignoreChanges",
  "additionalSecretOutputs",
  "customTimeouts",
  "replaceOnChanges",
  "replaceWith",
  "refreshBeforeUpdate",
  "resourceHooks",
  "provider",
] as const;

/** The options of a resource that differ from the default, its explicit provider among them. */
export function optionsOf(resource: EngineResource): Properties {
  const all = resource as unknown as Properties;
  return Object.fromEntries(
    optionNames.flatMap((name) => {
      const value = name === "provider" ? explicitProvider(resource) : all[name];
      return isEmpty(value) ? [] : [[name, Array.isArray(value) ? value.map(String).toSorted(compareText) : value]];
    }),
  );
}

/** Options that change of a resource that stays. */
export function optionChanges({ before, after }: { before?: Properties; after?: Properties }): PropertyChange[] {
  if (!before || !after) return [];
  return optionNames.flatMap((name): PropertyChange[] => {
    const [one, other] = [before[name], after[name]];
    if (sameValue(one, other)) return [];
    const how = one === undefined ? "added" : other === undefined ? "removed" : "changed";
    const sides = { ...(one !== undefined && { before: one }), ...(other !== undefined && { after: other }) };
    return [{ property: `option ${name}`, how, ...sides }];
  });
}

/** URN of the provider. Its id is another one after each replacement, and default providers differ in nothing but version. */
function explicitProvider({ provider }: EngineResource): string | undefined {
  const [urn = ""] = /^.*(?=::)/s.exec(provider ?? "") ?? [];
  return /::pulumi:providers:[^:]*::default(_|$)/.test(urn) ? undefined : urn;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "") return true;
  return isObject(value) || Array.isArray(value) ? Object.values(value).every(isEmpty) : false;
}
