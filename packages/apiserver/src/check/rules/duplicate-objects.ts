import type { ServedResource } from "../../resources/served-resource.js";
import { type CheckItem, type ManifestValue, metadataOf } from "../items/check-item.js";
import type { RawFinding } from "../items/raw-finding.js";
import type { CheckedObject } from "../model/finding.js";

/** Finds objects that several manifests describe. */
export class DuplicateObjects {
  readonly #first = new Map<string, string>();

  /** Adds an object; returns a finding when another manifest describes it. */
  add(
    { source, document, text }: CheckItem,
    value: ManifestValue,
    { storage }: ServedResource,
    { kind, namespace = "" }: CheckedObject,
  ): RawFinding | undefined {
    const { name } = metadataOf(value);
    if (typeof name !== "string" || name === "") {
      return undefined;
    }
    const key = `${storage} ${namespace}/${name}`;
    const place = text === undefined ? `${source}[${document - 1}]` : `${source}:${text.line}`;
    const first = this.#first.get(key);
    if (first === undefined) {
      this.#first.set(key, place);
      return undefined;
    }
    const where = namespace === "" ? "" : ` in namespace ${namespace}`;
    const message = `${kind} ${JSON.stringify(name)}${where} is described twice, first in ${first}`;
    return { rule: "duplicate-object", field: "metadata.name", message };
  }
}
