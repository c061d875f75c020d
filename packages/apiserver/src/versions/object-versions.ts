import { toStorage, viewOf } from "../custom-resources/conversion.js";
import type { ServedResource } from "../resources/served-resource.js";
import type { ApiObject } from "../store/stored-object.js";
import { convertAutoscaler } from "./autoscaler-versions.js";
import { convertEvent } from "./event-versions.js";

/** A kind that comes with the server and whose versions differ in more than their names. */
interface KindVersions {
  /** The version in which its objects are kept, whichever they were written in. */
  readonly stored: string;
  /** An object in the words of a version that is not its own. */
  convert(object: ApiObject, apiVersion: string): ApiObject;
}

/** By where they are kept. All others say the same in each version. */
const kinds: Readonly<Record<string, KindVersions>> = {
  events: { stored: "v1", convert: convertEvent },
  "horizontalpodautoscalers.autoscaling": { stored: "autoscaling/v2", convert: convertAutoscaler },
};

/** An object under the apiVersion and kind of a resource; stored objects may come from another version. */
export function asVersion(object: ApiObject, resource: ServedResource): ApiObject {
  const { defined, descriptor, storage } = resource;
  if (defined !== undefined) {
    return viewOf(object, defined);
  }
  const { apiVersion, kind } = descriptor;
  return object.kind === kind
    ? inVersion(object, storage, apiVersion)
    : { ...inVersion(object, storage, apiVersion), kind };
}

/** An object of a request as it goes into the store. */
export function forStorage(object: ApiObject, { defined, storage }: ServedResource): ApiObject {
  if (defined !== undefined) {
    return toStorage(object, defined.definition);
  }
  return inVersion(object, storage, kinds[storage]?.stored ?? object.apiVersion);
}

function inVersion(object: ApiObject, storage: string, apiVersion: string): ApiObject {
  if (object.apiVersion === apiVersion) {
    return object;
  }
  const converted = kinds[storage]?.convert(object, apiVersion) ?? object;
  return { ...converted, apiVersion };
}
