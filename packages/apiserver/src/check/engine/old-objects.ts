import type { ServedResource } from "../../resources/served-resource.js";
import {
  groupOf,
  isManifestValue,
  type ManifestValue,
  metadataOf,
  namespaceOf,
} from "../items/check-item.js";
import { readItems } from "../items/read-items.js";
import type { ReadSource } from "../options/check-input.js";
import type { CheckServer } from "./check-server.js";
import { findKind } from "./find-kind.js";
import { storeOld } from "./write-item.js";

/** The objects that the checked ones replace, by kind, namespace and name. */
export class OldObjects {
  readonly #byKey: ReadonlyMap<string, ManifestValue>;
  readonly #stored = new WeakMap<CheckServer, Set<string>>();

  private constructor(byKey: ReadonlyMap<string, ManifestValue>) {
    this.#byKey = byKey;
  }

  /** Reads the objects of sources. Documents that cannot be read are left out. */
  static async read(sources: readonly ReadSource[], namespace: string): Promise<OldObjects> {
    const byKey = new Map<string, ManifestValue>();
    for (const source of sources) {
      for await (const { item } of readItems(source)) {
        const { value } = item;
        if (isManifestValue(value)) {
          const own = namespaceOf(value);
          byKey.set(keyOf(value, own || namespace), value);
          if (own === "") {
            // The scope of the kind is not known yet.
            byKey.set(keyOf(value, ""), value);
          }
        }
      }
    }
    return new OldObjects(byKey);
  }

  /** Returns the old object of a manifest. */
  of(value: ManifestValue, namespace: string): ManifestValue | undefined {
    return this.#byKey.get(keyOf(value, namespace));
  }

  /** Stores the old object of a manifest in a server, once. */
  async store(
    server: CheckServer,
    resource: ServedResource,
    namespace: string,
    value: ManifestValue,
  ): Promise<void> {
    const old = this.of(value, namespace);
    const stored = this.#stored.get(server) ?? new Set();
    this.#stored.set(server, stored);
    const key = keyOf(value, namespace);
    if (old === undefined || stored.has(key)) {
      return;
    }
    stored.add(key);
    const found = findKind(server, old.apiVersion, old.kind);
    await storeOld(server, "resource" in found ? found.resource : resource, namespace, old);
  }
}

function keyOf(value: ManifestValue, namespace: string): string {
  const name = String(metadataOf(value)["name"] ?? "");
  return `${groupOf(value)} ${value.kind} ${namespace}/${name}`;
}
