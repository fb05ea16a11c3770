import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Kind } from "../provider/kind";
import { reshapedProperty } from "../provider/reshaped";
import { type Properties } from "../provider/values";
import { providerString } from "../sdk/token";
import { ProtocolAnswers } from "./answers";
import { type PluginResource } from "./resources";
import { bothSecrets, type SecretParts, secretProperties, written } from "./values";

export function secretsOf(kind: Kind, secrets: SecretParts | undefined): SecretParts | undefined {
  return bothSecrets(secrets, secretProperties(kind.secrets));
}

/** Returns the outputs of a resource. The provider string in the outputs lets the program change back to dynamic resources. */
export function outputsOf(
  answers: ProtocolAnswers,
  resource: PluginResource,
  state: Properties,
  secrets: SecretParts | undefined,
): Struct {
  const { kind, discreet } = resource;
  const outputs = { ...state, __provider: providerString(kind.name, discreet) };
  const all = secretsOf(kind, secrets);
  // If the declared value of a property is secret, the returned value in `__reshaped` is also secret.
  const pairs = all === undefined || all === true ? [] : Object.keys(all).filter((name) => name in kind.properties);
  const ofPairs = secretProperties(pairs);
  return answers.struct(written(outputs, ofPairs ? bothSecrets(all, { [reshapedProperty]: ofPairs }) : all));
}
