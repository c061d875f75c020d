import type { KubeObject, Live, ResourceDescriptor } from "@typekube/api";
import type { ClientCore } from "@typekube/client";
import { contextOf, operationsOf, type ResourceOperations } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import type { Clock } from "@typekube/core/internal";
import { type AnyKind, kindId } from "../../definition/any-kind.js";
import type { Controller } from "../../definition/controller.js";
import { nameOfKey } from "../../definition/object-key.js";
import type { EventRecorder } from "../../events/event-recorder.js";
import type { LogSink } from "../../log/log.js";
import type { KindCache, Lookup } from "../../sources/kind-cache.js";
import type { ServedKind } from "../../sources/served-kind.js";
import type { AppliedMemory } from "../apply/applied-memory.js";
import type { StatusChurn } from "../status/status-churn.js";
import type { OwnWrites } from "./own-writes.js";
import { waitingFor } from "./waiting.js";

/** Values that the runs of one controller share. */
export interface RunContext {
  readonly controller: Controller;
  readonly client: ClientCore;
  readonly clock: Clock;
  readonly sink: LogSink;
  readonly events: EventRecorder;
  /** The caches that runs read, by kind. */
  readonly caches: ReadonlyMap<string, KindCache>;
  /** Kinds that the controller declares without a cache. */
  readonly uncached: ReadonlySet<string>;
  /** The kinds that the controller declares, with their descriptors, by their ids. */
  readonly kinds: ReadonlyMap<string, ServedKind>;
  /** Finds owned objects by the uid of their owner, by kind. */
  readonly children: ReadonlyMap<string, Lookup>;
  readonly ownWrites: OwnWrites;
  /** `true` when every write is a dry run, and leaves no trace. Default false. */
  readonly isDryRun?: boolean | undefined;
  readonly applied: AppliedMemory;
  /** Kinds for which applied fields that the cache does not keep were reported. */
  readonly toldUnseen: Set<string>;
  readonly churn: StatusChurn;
  /** Set once the finalizers were released: no object gets one any more. */
  readonly finalizers: { areReleased: boolean };
}

/**
 * Returns what makes a run wait while a kind is inactive or was not found yet; `undefined` once it can be used.
 *
 * @see ServedKind
 */
export function absenceOf({ kinds }: RunContext, kind: AnyKind): KubeError | undefined {
  const id = kindId(kind);
  const served = kinds.get(id);
  const isAbsent = served?.isInactive === true || descriptorOf({ kinds }, kind) === undefined;
  return isAbsent ? definitionAbsent(kind) : undefined;
}

/** Returns what makes a run wait for the definition of a kind. */
export function definitionAbsent(kind: AnyKind): KubeError {
  const message = `the server does not serve ${kindId(kind)}: its definition is absent`;
  return waitingFor("WaitingForDefinition", message);
}

/** Returns the operations on a kind in a namespace; cluster-wide kinds ignore it. */
export function operationsIn(
  context: RunContext,
  kind: AnyKind,
  namespace: string | undefined,
): ResourceOperations {
  const isClusterWide = descriptorOf(context, kind)?.scope === "Cluster";
  return operationsOf(contextOf(context.client), kind, isClusterWide ? undefined : namespace);
}

/** Returns the descriptor of a declared kind; `undefined` as long as discovery has not found it. */
export function descriptorOf(
  { kinds }: Pick<RunContext, "kinds">,
  kind: AnyKind,
): ResourceDescriptor | undefined {
  return "plural" in kind ? kind : kinds.get(kindId(kind))?.descriptor;
}

/**
 * Returns the cache of a kind.
 *
 * @throws {KubeError} `InvalidArgument` for a kind that the controller does not declare, or declares without a cache.
 */
export function cacheOf({ caches, uncached, controller }: RunContext, kind: AnyKind): KindCache {
  const id = kindId(kind);
  const cache = caches.get(id);
  if (cache === undefined) {
    throw uncached.has(id)
      ? new KubeError(
          "InvalidArgument",
          `the controller ${controller.name} declares ${id} without a cache`,
          { hint: "read it with run.live, or remove cached: false" },
        )
      : undeclared(controller, id);
  }
  return cache;
}

/** @throws {KubeError} `InvalidArgument` for a kind that the controller does not declare. */
export function assertDeclared({ kinds, controller }: RunContext, kind: AnyKind): void {
  const id = kindId(kind);
  if (!kinds.has(id)) {
    throw undeclared(controller, id);
  }
}

/**
 * Checks that a run can use a kind.
 *
 * @throws {KubeError} `InvalidArgument` for a kind that the controller does not declare; what makes the run wait, for
 * one whose definition is absent.
 */
export function assertServed(context: RunContext, kind: AnyKind): void {
  assertDeclared(context, kind);
  const absence = absenceOf(context, kind);
  if (absence !== undefined) {
    throw absence;
  }
}

function undeclared({ name }: Controller, id: string): KubeError {
  return new KubeError("InvalidArgument", `the controller ${name} does not declare ${id}`, {
    hint: "add the kind to owns, watches or reads: its cache and its rights depend on it",
  });
}

/** Returns the name and the namespace that a run means by a key. */
export function placeIn(
  context: RunContext,
  kind: AnyKind,
  key: string,
  namespace: string | undefined,
): { readonly name: string; readonly namespace: string | undefined; readonly key: string } {
  if (descriptorOf(context, kind)?.scope === "Cluster") {
    return { name: key, namespace: undefined, key };
  }
  const own = nameOfKey(key);
  const place = own.namespace ?? namespace;
  return {
    name: own.name,
    namespace: place,
    key: place === undefined ? own.name : `${place}/${own.name}`,
  };
}

/** Returns true for a response that is an object of the API, not a Status. */
export function isLiveObject(response: unknown): response is Live<KubeObject> {
  const { kind, metadata } = (response ?? {}) as KubeObject;
  return kind !== "Status" && metadata?.uid !== undefined && metadata.resourceVersion !== undefined;
}
