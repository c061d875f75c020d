import { isJsonObject, type JsonObject } from "@typekube/core/internal";
import { groupOf, type ManifestValue, metadataOf } from "../items/check-item.js";
import { paramKindOf } from "./foundation.js";

/** An object to install, as far as bindings depend on it. */
export interface InstallCandidate {
  readonly value: ManifestValue;
  readonly isOfSnapshot: boolean;
}

/**
 * Leaves out the bindings of a snapshot whose params are Secrets: a snapshot has no Secrets, and without its params a binding would
 * deny every object. Bindings whose params the input has stay.
 *
 * @returns the other objects, and a note for each binding that is left out.
 */
export function withoutSecretParams<T extends InstallCandidate>(
  candidates: readonly T[],
): { readonly installed: readonly T[]; readonly notes: readonly string[] } {
  const policies = new Set(
    candidates
      .filter(({ value }) => paramKindOf(value) === "v1 Secret")
      .map(({ value }) => `${value.kind} ${String(metadataOf(value)["name"])}`),
  );
  const secrets = candidates.filter(
    ({ value }) => value.kind === "Secret" && groupOf(value) === "",
  );
  const notes: string[] = [];
  const installed = candidates.filter(({ value, isOfSnapshot }) => {
    const { spec, kind } = value;
    const ofKind = kind.endsWith("PolicyBinding") ? kind.slice(0, -"Binding".length) : "";
    if (
      !isOfSnapshot ||
      !isJsonObject(spec) ||
      !policies.has(`${ofKind} ${String(spec["policyName"])}`)
    ) {
      return true;
    }
    const { paramRef } = spec;
    if (!isJsonObject(paramRef) || secrets.some((one) => mayBeParam(one.value, paramRef))) {
      return true;
    }
    notes.push(
      `${kind} ${String(metadataOf(value)["name"])} of the snapshot is not evaluated: its params are Secrets, which a snapshot never has`,
    );
    return false;
  });
  return { installed, notes };
}

function mayBeParam(secret: ManifestValue, { name, namespace }: JsonObject): boolean {
  const { name: ownName, namespace: ownNamespace } = metadataOf(secret);
  return (
    (name === undefined || name === ownName) &&
    (namespace === undefined || ownNamespace === undefined || namespace === ownNamespace)
  );
}
