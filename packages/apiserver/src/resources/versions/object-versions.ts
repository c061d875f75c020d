import type { ApiObject } from "../../objects/api-object.js";
import type { KindVersions } from "../kind-strategy.js";
import type { ServedResource } from "../served-resource.js";
import { convertTo, toStorage, viewOf } from "./conversion.js";

/** Returns an object in the apiVersion and kind of a resource; stored objects may have another version. */
export function asVersion(object: ApiObject, resource: ServedResource): ApiObject {
  const { defined, descriptor, strategy } = resource;
  if (defined !== undefined) {
    return viewOf(object, defined);
  }
  const { apiVersion, kind } = descriptor;
  const converted = inVersion(object, strategy.versions, apiVersion);
  return converted.kind === kind ? converted : { ...converted, kind };
}

/** Converts an object of a request to the version of an equivalent resource, such as another version of its kind. */
export function convertedTo(object: ApiObject, resource: ServedResource): ApiObject {
  const { defined } = resource;
  return defined === undefined ? asVersion(object, resource) : convertTo(object, defined);
}

/** Converts an object of a request to its stored form. */
export function forStorage(object: ApiObject, { defined, strategy }: ServedResource): ApiObject {
  if (defined !== undefined) {
    return toStorage(object, defined.definition);
  }
  const { versions } = strategy;
  return inVersion(object, versions, versions?.stored ?? object.apiVersion);
}

function inVersion(
  object: ApiObject,
  versions: KindVersions | undefined,
  apiVersion: string,
): ApiObject {
  if (object.apiVersion === apiVersion) {
    return object;
  }
  const converted = versions?.convert(object, apiVersion) ?? object;
  return { ...converted, apiVersion };
}
