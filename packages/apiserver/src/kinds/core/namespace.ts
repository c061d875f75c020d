import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { stringsOf } from "../../objects/json-value.js";
import { mapOf, specOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import { emptyNamespace } from "../../phases/write/namespaces.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { assertDeletable } from "./namespace/system-namespaces.js";

/** Strategy of the kind Namespace. */
export const namespaceStrategy: KindStrategy = {
  rules: { names: "label", conflictsNameResource: true, specOwnedByFinalize: true },
  defaults: withOwnName,
  prepareCreate: (namespace) => ({
    ...namespace,
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  }),
  // The finalizers in the spec change only through the subresource `finalize`.
  prepareUpdate: (namespace, old) => ({ ...namespace, spec: old["spec"] }),
  validateStatus: validatePhase,
  assertDeletable,
  beginDelete: beginTerminating,
  afterDeletionBegan: (name, server) => emptyNamespace(server, name),
  finalizers: (namespace) => stringsOf(specOf(namespace)["finalizers"]),
  fieldSelectors: { paths: ["status.phase"], namespaced: false },
  columns: columnsFor("namespaces", {
    Status: column("Phase of the namespace.", ({ status }) => mapOf(status)["phase"] ?? ""),
  }),
};

/** Labels a namespace with its own name. */
function withOwnName(namespace: ApiObject): ApiObject {
  const { metadata } = namespace;
  const labels = { ...metadata.labels, "kubernetes.io/metadata.name": metadata.name ?? "" };
  return { ...namespace, metadata: { ...metadata, labels } };
}

/** Checks that the phase matches the deletion state. */
function validatePhase(
  { metadata, status }: ApiObject,
  _old: ApiObject,
  errors: FieldErrors,
): void {
  const { phase } = mapOf(status);
  const [wanted, when] =
    metadata.deletionTimestamp === undefined ? ["Active", "empty"] : ["Terminating", "not empty"];
  if (phase !== wanted && !isUnset(phase)) {
    const why = `may only be '${wanted}' if \`deletionTimestamp\` is ${when}`;
    errors.push(cause.invalid("status.Phase", phase, why));
  }
}

function beginTerminating(namespace: ApiObject, now: string): ApiObject {
  return {
    ...namespace,
    metadata: { ...namespace.metadata, deletionTimestamp: now },
    status: { ...mapOf(namespace["status"]), phase: "Terminating" },
  };
}
