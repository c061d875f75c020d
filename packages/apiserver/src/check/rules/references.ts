import { isJsonObject } from "@typekube/core/internal";
import {
  groupOf,
  isManifestValue,
  type ManifestValue,
  metadataOf,
  namespaceOf,
} from "../items/check-item.js";
import type { RawFinding } from "../items/raw-finding.js";
import { readItems } from "../items/read-items.js";
import type { CheckedObject } from "../model/finding.js";
import type { ReadSource } from "../options/check-input.js";
import { podTemplateOf } from "./pod-templates.js";
import { type Reference, referencesOf } from "./references-of.js";

/** Labels of the pods that an object creates. */
interface Labelled {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, unknown>>;
}

/** The objects of an input, to find references to others. */
export class ReferenceIndex {
  readonly #names: ReadonlySet<string>;
  readonly #pods: readonly Labelled[];
  readonly #defaultNamespace: string;

  private constructor(names: ReadonlySet<string>, pods: readonly Labelled[], namespace: string) {
    this.#names = names;
    this.#pods = pods;
    this.#defaultNamespace = namespace;
  }

  /** Reads the identities of all objects, and the labels of all pods. */
  static async read(sources: readonly ReadSource[], namespace: string): Promise<ReferenceIndex> {
    const names = new Set<string>();
    const pods: Labelled[] = [];
    for (const source of sources) {
      for await (const { item } of readItems(source)) {
        const { value } = item;
        if (!isManifestValue(value)) {
          continue;
        }
        const own = namespaceOf(value) || namespace;
        const { name } = metadataOf(value);
        names.add(keyOf(groupOf(value), value.kind, own, String(name)));
        names.add(keyOf(groupOf(value), value.kind, "", String(name)));
        const labels = podTemplateOf(value)?.metadata["labels"];
        if (isJsonObject(labels)) {
          pods.push({ namespace: own, labels });
        }
      }
    }
    return new ReferenceIndex(names, pods, namespace);
  }

  /** Returns a finding for each reference of an object to one that is missing. */
  missingIn(
    value: ManifestValue,
    { namespace = this.#defaultNamespace }: CheckedObject,
  ): RawFinding[] {
    return [
      ...referencesOf(value)
        .filter((one) => !this.#has(one, namespace))
        .map(({ field, kind, name }): RawFinding => {
          const message = `${kind} ${JSON.stringify(name)} is not in the input`;
          return { rule: "reference", field, message };
        }),
      ...this.#unmatchedSelector(value, namespace),
    ];
  }

  #has({ group, kind, namespace, name, isClusterScoped }: Reference, own: string): boolean {
    const home = isClusterScoped === true ? "" : (namespace ?? own);
    return isOfCluster(kind, name) || this.#names.has(keyOf(group, kind, home, name));
  }

  #unmatchedSelector(value: ManifestValue, namespace: string): RawFinding[] {
    const { spec } = value as { readonly spec?: { readonly selector?: unknown } };
    const selector = spec?.selector;
    if (value.kind !== "Service" || value.apiVersion !== "v1" || !isJsonObject(selector)) {
      return [];
    }
    const wanted = Object.entries(selector);
    const isMatched = this.#pods.some(
      (pod) =>
        pod.namespace === namespace && wanted.every(([key, label]) => pod.labels[key] === label),
    );
    const message = "the selector matches no pod and no pod template of the input";
    return isMatched || wanted.length === 0
      ? []
      : [{ rule: "reference", field: "spec.selector", message }];
  }
}

function keyOf(group: string, kind: string, namespace: string, name: string): string {
  return `${group} ${kind} ${namespace}/${name}`;
}

/** Returns true for objects that every cluster has. */
function isOfCluster(kind: string, name: string): boolean {
  switch (kind) {
    case "ServiceAccount":
      return name === "default";
    case "ConfigMap":
      return name === "kube-root-ca.crt";
    case "ClusterRole":
      return (
        ["admin", "cluster-admin", "edit", "view"].includes(name) || name.startsWith("system:")
      );
    default:
      return false;
  }
}
