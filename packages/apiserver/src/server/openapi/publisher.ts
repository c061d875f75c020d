import { createHash } from "node:crypto";
import { formatApiVersion } from "@typekube/core";
import type { JsonObject } from "../../objects/json-value.js";
import type { ResourceRegistry } from "../../resources/resource-registry.js";
import type { ServedResource } from "../../resources/served-resource.js";
import { groupDocument } from "./group-document.js";
import { mergedSwagger } from "./swagger.js";

/** The OpenAPI documents of a server, each created on request and cached until its resources change. */
export interface Publisher {
  /** Returns the names of the v3 documents (`apis/apps/v1`) with their hashes. */
  index(): ReadonlyMap<string, string>;
  /** Returns a v3 document; `undefined` for a name that is not in the index. */
  document(name: string): Promise<Published | undefined>;
  /** Returns the v2 document, which covers all resources. */
  swagger(): Promise<Published>;
}

/** A document and the hash by which clients cache it. */
export interface Published {
  readonly document: JsonObject;
  readonly hash: string;
}

interface Kept {
  readonly resources: readonly ServedResource[];
  readonly hash: string;
  document?: Promise<JsonObject>;
}

/** Creates the publisher for the resources of a registry. */
export function createPublisher(
  registry: ResourceRegistry,
  options: { readonly version: string; readonly cbor: boolean },
): Publisher {
  const kept = new Map<string, Kept>();
  let swagger: Kept | undefined;
  const keptOf = (name: string, resources: readonly ServedResource[]): Kept => {
    let found = kept.get(name);
    if (found === undefined || !isSame(found.resources, resources)) {
      found = { resources, hash: hashOf([name, options, ...resources.map(factsOf)]) };
      kept.set(name, found);
    }
    return found;
  };
  const documentOf = (one: Kept): Promise<JsonObject> => {
    one.document ??= groupDocument(one.resources, options);
    return one.document;
  };
  const all = (): Map<string, Kept> => {
    const found = new Map<string, Kept>();
    for (const [group, versions] of registry.groups) {
      for (const version of versions) {
        const apiVersion = formatApiVersion({ group, version });
        const name = group === "" ? `api/${version}` : `apis/${apiVersion}`;
        found.set(name, keptOf(name, registry.ofVersion(group, version)));
      }
    }
    for (const name of kept.keys()) {
      if (!found.has(name)) {
        kept.delete(name);
      }
    }
    return found;
  };
  return {
    index: () => new Map([...all()].map(([name, { hash }]) => [name, hash])),
    async document(name) {
      const found = all().get(name);
      return found && { document: await documentOf(found), hash: found.hash };
    },
    async swagger() {
      const { resources } = registry;
      let found = swagger;
      if (found === undefined || !isSame(found.resources, resources)) {
        const hash = hashOf([...all().values()].map((one) => one.hash));
        found = { resources, hash };
        swagger = found;
      }
      found.document ??= Promise.all([...all().values()].map(documentOf)).then(mergedSwagger);
      return { document: await found.document, hash: found.hash };
    },
  };
}

/** Returns everything that a document depends on. The built-in schemas are fixed by the release. */
function factsOf({ descriptor, rules, defined }: ServedResource): unknown {
  const { apiVersion, kind, plural, scope, verbs, subresources } = descriptor;
  return [apiVersion, kind, plural, scope, verbs, subresources, rules, defined?.source];
}

function isSame(one: readonly ServedResource[], other: readonly ServedResource[]): boolean {
  return one.length === other.length && one.every((resource, index) => resource === other[index]);
}

function hashOf(facts: readonly unknown[]): string {
  return createHash("sha512").update(JSON.stringify(facts)).digest("hex").toUpperCase();
}
