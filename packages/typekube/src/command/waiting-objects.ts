import type { PartialObjectMetadata } from "@typekube/api/meta/v1";
import type { ClientCore, DiscoveredResource } from "@typekube/client";
import { contextOf, resourceOf } from "@typekube/client/internal";

/** A finalizer that delays the removal of an object. */
export interface HeldFinalizer {
  readonly name: string;
  /** Field managers that set it: the programs that should remove it. Empty when the server does not know. */
  readonly managers: readonly string[];
}

/** An object that was deleted and still exists. */
export interface WaitingObject {
  readonly apiVersion: string;
  readonly kind: string;
  /** Absent for a cluster-wide object. */
  readonly namespace?: string;
  readonly name: string;
  readonly deletionTimestamp: string;
  /** Milliseconds since the deletion. */
  readonly waitingMs: number;
  readonly finalizers: readonly HeldFinalizer[];
}

/** Options of {@link findWaitingObjects}. */
export interface WaitingObjectsOptions {
  /** Only objects of this namespace. Default: of all, and cluster-wide ones. */
  readonly namespace: string | undefined;
  /** Only objects whose deletion was longer ago, in milliseconds. */
  readonly olderThanMs: number;
  /** Time to compare with, in milliseconds since 1970. */
  readonly now: number;
  /** Called for each resource that cannot be listed; the others are. */
  readonly onError: (resource: string, error: unknown) => void;
}

/** Resources that are listed at once. */
const listsAtOnce = 8;

/** Returns the objects of all kinds that wait for their deletion, those first that have waited longest. */
export async function findWaitingObjects(
  client: ClientCore,
  { namespace, olderThanMs, now, onError }: WaitingObjectsOptions,
): Promise<WaitingObject[]> {
  const { resources, failed } = await client.discovery.served();
  for (const { apiVersion, error } of failed) {
    onError(apiVersion, error);
  }
  const left = listable(resources, namespace !== undefined);
  const found = new Map<string, WaitingObject>();
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const { apiVersion, kind, plural } = next;
      const objects = resourceOf(contextOf(client), next, namespace);
      try {
        for await (const { metadata } of objects.metadata().items()) {
          const waiting = waitingObject({ apiVersion, kind }, metadata, now);
          if (waiting !== undefined && waiting.waitingMs >= olderThanMs) {
            // Some objects are served by several groups.
            found.set(metadata.uid, found.get(metadata.uid) ?? waiting);
          }
        }
      } catch (error) {
        onError(`${plural} in ${apiVersion}`, error);
      }
    }
  };
  await Promise.all(Array.from({ length: listsAtOnce }, work));
  return [...found.values()].sort((a, b) => b.waitingMs - a.waitingMs || compare(a, b));
}

/** Returns the resources with objects that can be deleted, each in the version that the server prefers. */
function listable(
  resources: readonly DiscoveredResource[],
  isNamespaced: boolean,
): DiscoveredResource[] {
  const first = new Map<string, DiscoveredResource>();
  for (const one of resources) {
    const id = `${one.plural}.${one.group}`;
    const isWanted = one.verbs.includes("list") && one.verbs.includes("delete");
    if (isWanted && !first.has(id) && (!isNamespaced || one.scope === "Namespaced")) {
      first.set(id, one);
    }
  }
  return [...first.values()];
}

function waitingObject(
  { apiVersion, kind }: Pick<WaitingObject, "apiVersion" | "kind">,
  metadata: PartialObjectMetadata["metadata"],
  now: number,
): WaitingObject | undefined {
  const { name = "", namespace, deletionTimestamp, finalizers = [] } = metadata ?? {};
  return deletionTimestamp === undefined
    ? undefined
    : {
        apiVersion,
        kind,
        ...(namespace === undefined ? {} : { namespace }),
        name,
        deletionTimestamp,
        waitingMs: now - Date.parse(deletionTimestamp),
        finalizers: finalizers.map((one) => ({ name: one, managers: managersOf(one, metadata) })),
      };
}

/** Returns the field managers that own an entry of the list of finalizers. */
function managersOf(finalizer: string, metadata: PartialObjectMetadata["metadata"]): string[] {
  const entry = `v:${JSON.stringify(finalizer)}`;
  const managers = (metadata?.managedFields ?? [])
    .filter(({ fieldsV1 }) => {
      const fields = fieldsV1 as OwnedFields | undefined;
      return fields?.["f:metadata"]?.["f:finalizers"]?.[entry] !== undefined;
    })
    .map(({ manager = "" }) => manager);
  return [...new Set(managers)];
}

interface OwnedFields {
  readonly "f:metadata"?: { readonly "f:finalizers"?: Readonly<Record<string, unknown>> };
}

function compare(a: WaitingObject, b: WaitingObject): number {
  const key = ({ namespace = "", kind, name }: WaitingObject) => `${namespace}/${kind}/${name}`;
  return key(a) < key(b) ? -1 : 1;
}
