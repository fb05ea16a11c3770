import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Kind } from "../provider/kind";
import { reshapedProperty } from "../provider/reshaped";
import { type Properties } from "../provider/values";
import { typeOfUrn } from "../sdk/token";
import { type PluginResource } from "./resources";
import { kindOfToken, RefusedRequestError } from "./token";
import { hasOtherSecret, received, type SecretParts, secretTexts } from "./values";

const partsWithProperties = ["getProperties", "getOlds", "getNews", "getInputs", "getArgs", "getQuery"] as const;

interface ResourceRequest {
  getUrn(): string;
  getType(): string;
}

export function resourceOf(request: ResourceRequest, secrets: SecretParts | undefined): PluginResource {
  const urn = request.getUrn();
  const kind = kindOfToken(request.getType() || typeOfUrn(urn));
  return { urn, kind, discreet: hasOtherSecret(secrets, [...kind.secrets, reshapedProperty]) };
}

export function describeResource(
  request: object,
): { kind: Kind; id?: string | undefined; properties: Properties; discreet: boolean } | undefined {
  if (!("getUrn" in request) || !("getType" in request)) return undefined;
  const asked = request as ResourceRequest &
    Partial<{ getId(): string; getProperties(): Struct; getOlds(): Struct; getNews(): Struct }>;
  try {
    const { properties, secrets } = read(asked.getProperties?.() ?? asked.getOlds?.() ?? asked.getNews?.());
    const { kind, discreet } = resourceOf(asked, secrets);
    return { kind, discreet, properties, id: asked.getId?.() || undefined };
  } catch {
    // For a request that is damaged or names an unknown resource type, the function returns no description.
    return undefined;
  }
}

/** Returns the secrets in a request. Messages must not show these secrets. */
export function secretsIn(request: object): string[] {
  const asked = request as Partial<Record<(typeof partsWithProperties)[number], () => Struct | undefined>>;
  return partsWithProperties.flatMap((part) => {
    try {
      return secretTexts(read(asked[part]?.()));
    } catch {
      // A damaged part of a request needs no masking, because messages never quote such a part.
      return [];
    }
  });
}

/** @throws RefusedRequestError for a value that the protocol does not allow */
export function read(struct: Struct | undefined): ReturnType<typeof received> {
  let properties: unknown;
  try {
    properties = struct?.toJavaScript() ?? {};
  } catch (error) {
    throw new RefusedRequestError("The request has a value without a type.", { cause: error });
  }
  return received(properties);
}
