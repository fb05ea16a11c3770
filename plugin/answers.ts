import type { CheckResponse, DiffResponse, ListResponse, PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Change } from "../provider/compare";
import { type Properties, compact } from "../provider/values";
import { placesOf } from "./detailed-diff";
import type { PluginProtocol } from "./protocol";

export class ProtocolAnswers {
  constructor(private readonly protocol: PluginProtocol) {}

  /** @param failures reasons why checks failed. Each reason contains the path of a property */
  checked(inputs: Properties, failures: readonly string[]): CheckResponse {
    const response = new this.protocol.messages.CheckResponse();
    response.setInputs(this.struct(inputs));
    // If a failure has the member `property`, the engine prints the value of the property, even a secret. To hide secrets,
    // failures omit the member `property`, and `reason` contains the path of the property.
    for (const reason of failures) {
      const failure = new this.protocol.messages.CheckFailure();
      failure.setReason(reason);
      response.addFailures(failure);
    }
    return response;
  }

  changed(properties: readonly string[]): DiffResponse {
    const { DIFF_NONE, DIFF_SOME } = this.protocol.messages.DiffResponse.DiffChanges;
    const response = new this.protocol.messages.DiffResponse();
    response.setChanges(properties.length > 0 ? DIFF_SOME : DIFF_NONE);
    response.setDiffsList([...properties]);
    return response;
  }

  differing(changes: readonly Change[], deleteBeforeReplace: boolean): DiffResponse {
    const response = this.changed(changes.map(({ property }) => property));
    response.setReplacesList(changes.filter(({ replaces }) => replaces).map(({ property }) => property));
    response.setDeletebeforereplace(deleteBeforeReplace);
    response.setHasdetaileddiff(true);
    for (const change of changes) {
      for (const { path, how } of placesOf(change))
        response.getDetaileddiffMap().set(path, this.#propertyDiff(how, change.replaces));
    }
    return response;
  }

  listed(id: string, name: string): ListResponse {
    const { ListResponse: Message } = this.protocol.messages;
    const result = new Message.Result();
    result.setId(id);
    result.setName(name);
    const response = new Message();
    response.setResult(result);
    return response;
  }

  /** Returns the response to a list request with arguments that are unknown until the update. */
  computed(): ListResponse {
    const response = new this.protocol.messages.ListResponse();
    response.setComputed(new this.protocol.messages.ListResponse.Computed());
    return response;
  }

  struct(properties: Properties): Struct {
    return this.protocol.Struct.fromJavaScript(compact(properties) as Record<string, never>);
  }

  #propertyDiff(how: Change["how"], replaces: boolean): PropertyDiff {
    const { PropertyDiff: Message } = this.protocol.messages;
    const { ADD, ADD_REPLACE, DELETE, DELETE_REPLACE, UPDATE, UPDATE_REPLACE } = Message.Kind;
    const kinds = { added: [ADD, ADD_REPLACE], removed: [DELETE, DELETE_REPLACE], changed: [UPDATE, UPDATE_REPLACE] } as const;
    const diff = new Message();
    diff.setKind(kinds[how][replaces ? 1 : 0]);
    return diff;
  }
}
