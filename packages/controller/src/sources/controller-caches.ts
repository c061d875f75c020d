import type { KubeObject, Live, Scope } from "@typekube/api";
import { isNotFound, KubeError } from "@typekube/core";
import { type Random, stringifyJson } from "@typekube/core/internal";
import type { Shard } from "@typekube/informer";
import { kindId } from "../definition/any-kind.js";
import type { Watch } from "../definition/controller.js";
import type { DeclaredKind } from "../definition/kind-choice.js";
import { keyOf } from "../definition/object-key.js";
import { ownerLabel } from "../run/apply/desired-child.js";
import { keptFields } from "./kept-fields.js";
import { type CacheEvents, KindCache, type Lookup } from "./kind-cache.js";
import { ownersOf } from "./owners.js";
import { ServedKind, type ServedKindParts } from "./served-kind.js";
import { type Mapping, mappedTriggers, ownTriggers, type TriggerContext } from "./triggers.js";
import { watchedByMap } from "./watched-by-map.js";

/** Name of the index from the uid of an owner to what it owns. */
const ownerIndex = "typekube.dev/owner";
/** Name of the index of the controller's objects by their uid. */
const uidIndex = "typekube.dev/uid";

/** The caches of one controller, with the changes of each wired to its queue. */
export interface ControllerCaches {
  /** Caches of the controller's own objects. */
  readonly own: KindCache;
  /** Caches that runs read, by kind. */
  readonly byKind: ReadonlyMap<string, KindCache>;
  readonly uncached: ReadonlySet<string>;
  /** The declared kinds with their descriptors, by their ids. */
  readonly kinds: ReadonlyMap<string, ServedKind>;
  readonly children: ReadonlyMap<string, Lookup>;
  readonly all: readonly KindCache[];
  /** Objects that are referred to and don't exist, by kind. */
  missingReferences(): ReadonlyMap<string, readonly string[]>;
  close(): Promise<void>;
}

/** Parts of {@link startCaches}. */
export interface CacheParts extends Pick<ServedKindParts, "client" | "clock" | "onChange"> {
  readonly events: CacheEvents;
  /** Random shares of the delays between look-ups of a kind. */
  readonly random: Random;
}

/**
 * Starts the caches of a controller and connects them with its queue.
 *
 * @param shard - shards of the controller's own objects. Other objects, and own ones that it watches as another kind, are
 * cached whole. Default: all objects.
 */
export function startCaches(
  parts: CacheParts,
  context: TriggerContext,
  shard?: Shard,
): ControllerCaches {
  const { client, events } = parts;
  const { controller } = context;
  const ending = new AbortController();
  const kinds = servedKinds(parts, controller, ending.signal);
  const caches = new Map<string, KindCache>();
  const byKind = new Map<string, KindCache>();
  const uncached = new Set<string>();
  const fields = keptFields(controller);
  const create = (kind: DeclaredKind, shard?: Shard) => {
    const id = kindId(kind.kind);
    const kept = kind.view === "metadata" ? undefined : fields.get(id);
    return new KindCache(client, kind, kinds.get(id) as ServedKind, events, { shard, kept });
  };
  const cacheFor = (kind: DeclaredKind): KindCache => {
    const id = `${kindId(kind.kind)} ${narrowingOf(kind)}`;
    let cache = caches.get(id);
    if (cache === undefined) {
      cache = create(kind);
      caches.set(id, cache);
    }
    if (!byKind.has(cache.id)) {
      byKind.set(cache.id, cache);
    }
    return cache;
  };
  const own = shard === undefined ? cacheFor(controller.kind) : create(controller.kind, shard);
  byKind.set(own.id, own);
  const byUid = own.addIndex(uidIndex, ({ metadata }) => [metadata.uid]);
  own.onChange(ownTriggers(context));
  const children = new Map<string, Lookup>();
  for (const owned of controller.owns) {
    const cache = cacheFor(owned);
    if (!children.has(cache.id)) {
      children.set(cache.id, cache.addIndex(ownerIndex, ownerUids));
      cache.onChange(
        mappedTriggers(context, owned, ownerKeys(context, own, byUid, owned.anyOwner)),
      );
    }
  }
  const references = controller.watches.map((watch, at) => {
    const cache = cacheFor(watch.kind);
    return { cache, lookup: connect(context, own, cache, watch, at) };
  });
  for (const kind of controller.reads) {
    if (kind.cached === false) {
      uncached.add(kindId(kind.kind));
    } else {
      cacheFor(kind);
    }
  }
  const all = [...new Set([own, ...caches.values()])];
  return {
    own,
    byKind,
    uncached,
    kinds,
    children,
    all,
    missingReferences: () =>
      new Map(
        references.flatMap(({ cache, lookup }) =>
          lookup === undefined
            ? []
            : [
                [
                  cache.id,
                  lookup()
                    .values()
                    .filter((key) => cache.get(key) === undefined),
                ] as const,
              ],
        ),
      ),
    async close() {
      ending.abort(new KubeError("Aborted", "the controller stops"));
      await Promise.all(all.map((cache) => cache.close()));
    },
  };
}

/** Looks up the kinds that a controller declares. It can do without those that it only owns. */
function servedKinds(
  { client, clock, random, events, onChange }: CacheParts,
  { kind, owns, watches, reads }: TriggerContext["controller"],
  signal: AbortSignal,
): Map<string, ServedKind> {
  const needed = [kind, ...watches.map((watch) => watch.kind), ...reads];
  const neededIds = new Set(needed.map((one) => kindId(one.kind)));
  const declared = new Map<string, DeclaredKind>();
  for (const one of [...needed, ...owns]) {
    const id = kindId(one.kind);
    // Of several declarations of a kind, one with a descriptor needs no look-up.
    if (!declared.has(id) || "plural" in one.kind) {
      declared.set(id, one);
    }
  }
  return new Map(
    [...declared].map(([id, one]) => {
      const isOptional = !neededIds.has(id);
      const onError = (error: KubeError) => {
        if (!(isOptional && isNotFound(error))) {
          events.onError(error, one);
        }
      };
      const parts = { client, clock, random, signal, isOptional, onError, onChange };
      return [id, new ServedKind(one.kind, parts)];
    }),
  );
}

function narrowingOf({ namespaces, labelSelector, fieldSelector, view }: DeclaredKind): string {
  return stringifyJson([namespaces, labelSelector, fieldSelector, view].map((one) => one ?? null));
}

function ownerUids({ metadata }: Live<KubeObject>): string[] {
  const label = metadata.labels?.[ownerLabel];
  const uids = (metadata.ownerReferences ?? []).map(({ uid }) => uid);
  return label === undefined ? uids : [...uids, label];
}

/** Maps an owned object to the keys of its owners. */
function ownerKeys(
  { controller, log }: TriggerContext,
  own: KindCache,
  byUid: Lookup,
  anyOwner: boolean,
): Mapping {
  const { kind } = controller.kind;
  const told = new Set<string>();
  return (object) => {
    const isNamespaced = own.served.descriptor?.scope !== "Cluster";
    const keys: string[] = [];
    for (const { key, uid } of ownersOf(object, { kind, isNamespaced }, anyOwner)) {
      const owner = own.get(key);
      if (owner === undefined || owner.metadata.uid === uid) {
        keys.push(key);
      } else if (!told.has(object.metadata.uid)) {
        told.add(object.metadata.uid);
        log.warn(
          `orphaned child: ${object.kind} ${object.metadata.name} belongs to an earlier ${key}`,
        );
      }
    }
    const label = object.metadata.labels?.[ownerLabel];
    for (const { metadata } of label === undefined ? [] : byUid.get(label)) {
      keys.push(keyOf({ metadata }));
    }
    return keys;
  };
}

/** Connects a watched kind; returns the reverse index of a watch with `by`. */
function connect(
  context: TriggerContext,
  own: KindCache,
  cache: KindCache,
  { kind, by, map, when }: Watch,
  at: number,
): (() => Lookup) | undefined {
  if (by === undefined) {
    cache.onChange(watchedByMap(context, kind, map as NonNullable<typeof map>, when));
    return undefined;
  }
  const lookups = new Map<Scope, Lookup>();
  /** Returns the index for the kind's scope, which another definition of the kind may change. */
  const lookup = () => {
    const scope = cache.served.descriptor?.scope ?? "Namespaced";
    let known = lookups.get(scope);
    if (known === undefined) {
      known = own.addIndex(`typekube.dev/by-${at}-${scope}`, (object) => {
        const namespace = scope === "Cluster" ? undefined : object.metadata.namespace;
        return [...by(object)].map((name) => keyOf(name, namespace));
      });
      lookups.set(scope, known);
    }
    return known;
  };
  cache.served.whenResolved(lookup);
  const keysOf: Mapping = (object) =>
    lookup()
      .get(keyOf(object))
      .map(({ metadata }) => keyOf({ metadata }));
  cache.onChange(mappedTriggers(context, kind, keysOf, when));
  return lookup;
}
