import type { KubeObject, Live } from "@typekube/api";
import { KubeError } from "@typekube/core";
import {
  assertOptions,
  type OptionTable,
  object,
  projectionOf,
  text,
} from "@typekube/core/internal";
import { kindId } from "../definition/any-kind.js";
import { isKeptKind, keptProjection, plainKind } from "../definition/keep-fields.js";
import type { NamedKind } from "../definition/kind-choice.js";
import { type KeyLike, keyOf } from "../definition/object-key.js";
import type { KindCache } from "../sources/kind-cache.js";
import {
  assertServed,
  cacheOf,
  descriptorOf,
  operationsIn,
  placeIn,
  type RunContext,
} from "./context/run-context.js";
import type { RunState } from "./context/run-state.js";
import type { LiveListOptions, LiveReads, RunListOptions } from "./run.js";

const owners = projectionOf(["metadata.ownerReferences"]);

const listOptions: OptionTable<RunListOptions> = {
  index: object,
  labelSelector: true,
  namespace: text,
  ownedBy: true,
};

/** Returns a cached object; see `Run.get`. */
export function readCached(
  context: RunContext,
  { namespace }: RunState,
  named: NamedKind,
  name: KeyLike,
): Live<KubeObject> | undefined {
  const kind = plainKind(named);
  const cache = cacheOf(context, kind);
  assertKeeps(cache, named);
  return cache.get(placeIn(context, kind, keyOf(name), namespace).key);
}

/** Returns cached objects; see `Run.list`. */
export function listCached(
  context: RunContext,
  state: RunState,
  named: NamedKind,
  options: RunListOptions = {},
): Live<KubeObject>[] {
  assertOptions("run.list()", options, listOptions);
  const kind = plainKind(named);
  const cache = cacheOf(context, kind);
  assertKeeps(cache, named);
  const { ownedBy, namespace = state.namespace, ...rest } = options;
  const isClusterWide = descriptorOf(context, kind)?.scope === "Cluster";
  const within = isClusterWide ? "*" : (namespace ?? "*");
  const uid = ownedBy === true ? state.object?.metadata.uid : ownedBy?.metadata?.uid;
  const lookup = context.children.get(kindId(kind));
  if (ownedBy === undefined) {
    return cache.list({ ...rest, namespace: within });
  }
  if (cache.projection?.contains(owners) === false) {
    throw new KubeError(
      "InvalidArgument",
      `the cache of ${cache.id} does not keep the owners, so it cannot select objects by them`,
      { hint: 'add "metadata.ownerReferences" to its fields, or declare the kind in owns' },
    );
  }
  const isOwned = ({ metadata }: Live<KubeObject>) =>
    metadata.ownerReferences?.some((reference) => reference.uid === uid) ?? false;
  const isPlain = lookup !== undefined && Object.keys(rest).length === 0;
  return isPlain && uid !== undefined
    ? lookup.get(uid).filter(({ metadata }) => within === "*" || metadata.namespace === within)
    : cache.list({ ...rest, namespace: within }).filter(isOwned);
}

/** Creates the reads that ask the server; see `Run.live`. */
export function liveReads(context: RunContext, { namespace }: RunState): LiveReads<NamedKind> {
  const live = {
    async get(named: NamedKind, name: KeyLike, options = {}) {
      const kind = plainKind(named);
      assertServed(context, kind);
      const place = placeIn(context, kind, keyOf(name), namespace);
      return operationsIn(context, kind, place.namespace).find(place.name, options);
    },
    async list(
      named: NamedKind,
      { namespace: within = namespace, ...options } = {} as LiveListOptions,
    ) {
      const kind = plainKind(named);
      assertServed(context, kind);
      const place = within === "*" ? undefined : within;
      const found: Live<KubeObject>[] = [];
      for await (const one of operationsIn(context, kind, place).items(options)) {
        found.push(one);
      }
      return found;
    },
  };
  return live as LiveReads<NamedKind>;
}

/** @throws {KubeError} `InvalidArgument` when a cache lacks fields of the kind as a run names it. */
function assertKeeps({ id, kind, projection, kept }: KindCache, named: NamedKind): void {
  if (isKeptKind(named) && kind.view === "metadata") {
    throw new KubeError(
      "InvalidArgument",
      `the cache of ${id} has metadata only, as its first declaration says`,
      { hint: "declare the kind without the view, or its fields first" },
    );
  }
  if (projection === undefined || kept === undefined) {
    return;
  }
  if (!isKeptKind(named)) {
    throw new KubeError(
      "InvalidArgument",
      `the cache of ${id} keeps some fields only: ${kept.fields.join(", ")}`,
      { hint: "read with what keepFields() returned, or the whole object with run.live" },
    );
  }
  if (!projection.contains(keptProjection(named))) {
    throw new KubeError(
      "InvalidArgument",
      `the cache of ${id} does not keep all of ${named.fields.join(", ")}, but ${kept.fields.join(", ")}`,
      { hint: "declare the kind with these fields" },
    );
  }
}
