import { convertAutoscaler } from "../../kinds/versions/autoscaler-versions.js";
import { convertEvent } from "../../kinds/versions/event-versions.js";
import type { ApiObject } from "../../objects/api-object.js";
import type { ServedResource } from "../served-resource.js";
import { toStorage, viewOf } from "./conversion.js";

/** A built-in kind whose versions differ in more than their apiVersion. */
interface KindVersions {
  /** apiVersion in which objects are stored, whichever they were written in. */
  readonly stored: string;
  /** Converts an object to another version. */
  convert(object: ApiObject, apiVersion: string): ApiObject;
}

/** Such kinds by storage. All others have the same content in each version. */
const kinds: Readonly<Record<string, KindVersions>> = {
  events: { stored: "v1", convert: convertEvent },
  "horizontalpodautoscalers.autoscaling": { stored: "autoscaling/v2", convert: convertAutoscaler },
};

/** Returns an object in the apiVersion and kind of a resource; stored objects may have another version. */
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

/** Converts an object of a request to its stored form. */
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
