import type { KubeObject, Live } from "@typekube/api";
import { assertOptions, type OptionTable, object, text } from "@typekube/core/internal";
import { type AnyKind, kindId } from "../definition/kind-choice.js";
import { type KeyLike, keyOf } from "../definition/object-key.js";
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
  kind: AnyKind,
  name: KeyLike,
): Live<KubeObject> | undefined {
  return cacheOf(context, kind).get(placeIn(context, kind, keyOf(name), namespace).key);
}

/** Returns cached objects; see `Run.list`. */
export function listCached(
  context: RunContext,
  state: RunState,
  kind: AnyKind,
  options: RunListOptions = {},
): Live<KubeObject>[] {
  assertOptions("run.list()", options, listOptions);
  const { ownedBy, namespace = state.namespace, ...rest } = options;
  const cache = cacheOf(context, kind);
  const isClusterWide = descriptorOf(context, kind)?.scope === "Cluster";
  const within = isClusterWide ? "*" : (namespace ?? "*");
  const uid = ownedBy === true ? state.object?.metadata.uid : ownedBy?.metadata?.uid;
  const lookup = context.children.get(kindId(kind));
  if (ownedBy === undefined) {
    return cache.list({ ...rest, namespace: within });
  }
  const isOwned = ({ metadata }: Live<KubeObject>) =>
    metadata.ownerReferences?.some((reference) => reference.uid === uid) ?? false;
  const isPlain = lookup !== undefined && Object.keys(rest).length === 0;
  return isPlain && uid !== undefined
    ? lookup.get(uid).filter(({ metadata }) => within === "*" || metadata.namespace === within)
    : cache.list({ ...rest, namespace: within }).filter(isOwned);
}

/** Creates the reads that ask the server; see `Run.live`. */
export function liveReads(context: RunContext, { namespace }: RunState): LiveReads<AnyKind> {
  const live = {
    async get(kind: AnyKind, name: KeyLike, options = {}) {
      assertServed(context, kind);
      const place = placeIn(context, kind, keyOf(name), namespace);
      return operationsIn(context, kind, place.namespace).find(place.name, options);
    },
    async list(
      kind: AnyKind,
      { namespace: within = namespace, ...options } = {} as LiveListOptions,
    ) {
      assertServed(context, kind);
      const place = within === "*" ? undefined : within;
      const found: Live<KubeObject>[] = [];
      for await (const one of operationsIn(context, kind, place).items(options)) {
        found.push(one);
      }
      return found;
    },
  };
  return live as LiveReads<AnyKind>;
}
