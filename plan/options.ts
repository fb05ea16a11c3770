import { isObject, type Properties, sameValue } from "../provider/values";
import type { EngineResource } from "../engine/state";
import { compareText } from "../common/text";
import type { PropertyChange } from "./changes";

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

export function optionsOf(resource: EngineResource): Properties {
  const all = resource as unknown as Properties;
  return Object.fromEntries(
    optionNames.flatMap((name) => {
      const value = name === "provider" ? explicitProvider(resource) : all[name];
      return isEmpty(value) ? [] : [[name, Array.isArray(value) ? value.map(String).toSorted(compareText) : value]];
    }),
  );
}

export function optionChanges({ before, after }: { before?: Properties; after?: Properties }): PropertyChange[] {
  if (!before || !after) return [];
  return optionNames.flatMap((name): PropertyChange[] => {
    const [was, other] = [before[name], after[name]];
    if (sameValue(was, other)) return [];
    const how = was === undefined ? "added" : other === undefined ? "removed" : "changed";
    const sides = { ...(was !== undefined && { before: was }), ...(other !== undefined && { after: other }) };
    return [{ property: `option ${name}`, how, ...sides }];
  });
}

/**
 * Providers are compared by URN, because a provider's id changes with each replacement. All default providers count as equal, because they
 * differ only in their versions.
 */
function explicitProvider({ provider }: EngineResource): string | undefined {
  const [urn = ""] = /^.*(?=::)/s.exec(provider ?? "") ?? [];
  return /::pulumi:providers:[^:]*::default(_|$)/.test(urn) ? undefined : urn;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "") return true;
  return isObject(value) || Array.isArray(value) ? Object.values(value).every(isEmpty) : false;
}
