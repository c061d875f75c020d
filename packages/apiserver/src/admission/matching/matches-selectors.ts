import { notFound } from "../../errors/status-errors.js";
import { getPath, isJsonObject } from "../../objects/json-value.js";
import { selectsLabels } from "../../objects/selects.js";
import type { Store } from "../../store/store.js";
import type { AdmissionAttributes } from "../attributes.js";

/**
 * Returns whether a `namespaceSelector` selects the namespace of a request. A Namespace that is written is selected by its
 * own labels; other cluster-scoped objects always are. (apiserver `namespace.Matcher`)
 *
 * @throws {StatusError} 404 when the namespace does not exist.
 */
export function matchesNamespace(
  selector: unknown,
  attributes: AdmissionAttributes,
  store: Store,
): boolean {
  const { namespace, resource } = attributes;
  if ((namespace === "" && resource.plural !== "namespaces") || isEmptySelector(selector)) {
    return true;
  }
  return selectsLabels(selector, namespaceLabels(attributes, store));
}

function namespaceLabels(
  { namespace, resource, subresource, operation, object }: AdmissionAttributes,
  store: Store,
): unknown {
  const isWritten = operation === "CREATE" || operation === "UPDATE";
  if (resource.plural === "namespaces" && subresource === "" && isWritten) {
    return getPath(object, "metadata", "labels");
  }
  const found = store.collection("namespaces").get(namespace);
  if (found === undefined) {
    throw notFound({ group: "", plural: "namespaces" }, namespace);
  }
  return found.metadata.labels;
}

/** Returns whether an `objectSelector` selects the new object or the old one. (apiserver `object.Matcher`) */
export function matchesObject(
  selector: unknown,
  { object, oldObject }: AdmissionAttributes,
): boolean {
  return (
    isEmptySelector(selector) ||
    [object, oldObject].some(
      (one) => one !== undefined && selectsLabels(selector, getPath(one, "metadata", "labels")),
    )
  );
}

function isEmptySelector(selector: unknown): boolean {
  return !isJsonObject(selector) || Object.values(selector).every(isEmpty);
}

function isEmpty(part: unknown): boolean {
  return typeof part !== "object" || part === null || Object.keys(part).length === 0;
}
