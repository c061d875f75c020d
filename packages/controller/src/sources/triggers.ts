import type { KubeObject, Live } from "@typekube/api";
import { jsonEqual } from "@typekube/core/internal";
import { type ChangeHandler, objectKey } from "@typekube/informer";
import { kindId } from "../definition/any-kind.js";
import type { Controller } from "../definition/controller.js";
import type { DeclaredKind } from "../definition/kind-choice.js";
import type { ChangeFilter } from "../definition/predicates.js";
import type { Log } from "../log/log.js";
import type { Cause } from "../run/causes.js";
import type { OwnWrites } from "../run/context/own-writes.js";
import { noDifference } from "./no-difference.js";

/** Priority of keys of the initial list and of resyncs: everything else overtakes them. (controller-runtime's LowPriority) */
export const lowPriority = -100;

/** Meaning of a change for a key: news, an echo of the controller's own write, or no difference to what it has seen. */
export type News = "echo" | "news" | "none";

/** Receives the keys that changes cause. */
export interface TriggerTarget {
  trigger(
    key: string,
    cause: Cause,
    options?: { readonly priority?: number; readonly afterMs?: number },
  ): void;
  /**
   * Queues a key if a change is news for it. While the key's run is going on the decision waits for its end: the watch
   * may be faster than the response to a write.
   */
  triggerIfNews(
    key: string,
    decide: () => News,
    cause: Cause,
    options?: { readonly priority?: number; readonly afterMs?: number },
  ): void;
  /** Drops the state of a key that belongs to another process from now on. */
  forget(key: string): void;
  /** Called when an own object was deleted, before its key is queued. */
  gone?(object: Live<KubeObject>): void;
}

/** Parts of the handlers of changes. */
export interface TriggerContext {
  readonly controller: Controller;
  readonly target: TriggerTarget;
  readonly ownWrites: OwnWrites;
  readonly log: Log;
}

/** Returns the handler for changes of the controller's own objects. */
export function ownTriggers(context: TriggerContext): ChangeHandler {
  const { controller, target, ownWrites } = context;
  const { settings, kind } = controller;
  const id = kindId(kind.kind);
  const passes = failOpen(context, settings.when, id);
  const isNoopUpdate = noDifference(kind);
  const isSelected = kind.labelSelector !== undefined || kind.fieldSelector !== undefined;
  const debounce = settings.debounceMs > 0 ? { afterMs: settings.debounceMs } : {};
  return {
    add(object, { initial, moved }) {
      if (passes(object, undefined)) {
        const isBacklog = initial || moved;
        const type = isBacklog ? "initial" : "add";
        const priority = isBacklog ? { priority: lowPriority } : {};
        target.trigger(objectKey(object), causeOf(type, object), priority);
      }
    },
    update(object, previous) {
      const key = objectKey(object);
      if (isResync(object, previous)) {
        target.trigger(key, causeOf("resync", object), { priority: lowPriority });
        return;
      }
      const isNoop = isNoopUpdate(object, previous);
      if (isNoop || isAboutDeletion(object, previous) || passes(object, previous)) {
        const decide = () => newsIn(context, id, object, key, isNoop);
        target.triggerIfNews(key, decide, causeOf("update", object), debounce);
      }
    },
    replaced(object) {
      target.forget(objectKey(object));
      target.trigger(objectKey(object), causeOf("add", object));
    },
    delete(object, { moved }) {
      const key = objectKey(object);
      if (moved || (isSelected && settings.onLeave === "ignore")) {
        ownWrites.forget(id, object);
        target.forget(key);
        return;
      }
      const decide = () => {
        const isEcho = ownWrites.isOwnDeletion(id, object, key);
        ownWrites.forget(id, object);
        return isEcho && settings.reconcileKey === undefined ? "echo" : "news";
      };
      target.gone?.(object);
      target.triggerIfNews(key, decide, causeOf("delete", object));
    },
  };
}

/** Maps an object to keys of the controller. */
export type Mapping = (object: Live<KubeObject>) => Iterable<string>;

/**
 * Returns the handler for changes of another kind, whose objects are mapped to keys: an update for the old and for the
 * new state.
 */
export function mappedTriggers(
  context: TriggerContext,
  declared: DeclaredKind,
  keysOf: Mapping,
  when?: ChangeFilter,
): ChangeHandler {
  const id = kindId(declared.kind);
  const isNoopUpdate = noDifference(declared);
  const { target, ownWrites, controller } = context;
  const passes = failOpen(context, when, id);
  const skipsOwn = controller.settings.ownEvents === "skip";
  const trigger = (keys: Iterable<string>, cause: Cause, priority?: number) => {
    for (const key of keys) {
      target.trigger(key, cause, priority === undefined ? {} : { priority });
    }
  };
  const triggerIfNews = (
    keys: Iterable<string>,
    cause: Cause,
    object: Live<KubeObject>,
    isNoop = false,
  ) => {
    for (const key of keys) {
      target.triggerIfNews(key, () => newsIn(context, id, object, key, isNoop), cause);
    }
  };
  return {
    add(object, { initial }) {
      if (passes(object, undefined)) {
        if (initial) {
          trigger(keysOf(object), causeOf("initial", object), lowPriority);
        } else {
          triggerIfNews(keysOf(object), causeOf("add", object), object);
        }
      }
    },
    update(object, previous) {
      if (isResync(object, previous)) {
        trigger(keysOf(object), causeOf("resync", object), lowPriority);
        return;
      }
      const now = new Set(keysOf(object));
      const gone = [...keysOf(previous)].filter((key) => !now.has(key));
      const isNoop = isNoopUpdate(object, previous);
      if (isNoop || isAboutDeletion(object, previous) || passes(object, previous)) {
        const cause = causeOf("update", object);
        triggerIfNews(now, cause, object, isNoop);
        trigger(gone, cause);
      }
    },
    delete(object) {
      const cause = causeOf("delete", object);
      const keys = [...keysOf(object)];
      if (keys.length === 0) {
        ownWrites.forget(id, object);
      }
      for (const key of keys) {
        const decide = () => {
          const isEcho = skipsOwn && ownWrites.isOwnDeletion(id, object, key);
          ownWrites.forget(id, object);
          return isEcho ? "echo" : "news";
        };
        target.triggerIfNews(key, decide, cause);
      }
    },
  };
}

function causeOf(type: Cause["type"], object: Live<KubeObject>): Cause {
  return { type, object: `${object.apiVersion}/${object.kind} ${objectKey(object)}` };
}

function isResync(object: Live<KubeObject>, previous: Live<KubeObject>): boolean {
  return (
    object === previous ||
    (object.metadata.resourceVersion === previous.metadata.resourceVersion &&
      object.metadata.uid === previous.metadata.uid)
  );
}

/**
 * Returns the meaning of a change for a key. A state that equals the one before is news when an own write came between them that
 * the cache never showed: somebody has undone it.
 */
function newsIn(
  { controller, ownWrites }: TriggerContext,
  id: string,
  object: Live<KubeObject>,
  key: string,
  isNoop: boolean,
): News {
  if (ownWrites.isEcho(id, object, key)) {
    return isNoop || controller.settings.ownEvents === "skip" ? "echo" : "news";
  }
  return isNoop && !ownWrites.hasSkipped(id, object, key) ? "none" : "news";
}

/** Deletion and finalizers are never filtered: a missed one would block the object indefinitely. */
function isAboutDeletion({ metadata }: Live<KubeObject>, previous: Live<KubeObject>): boolean {
  return (
    metadata.deletionTimestamp !== previous.metadata.deletionTimestamp ||
    !jsonEqual(metadata.finalizers ?? [], previous.metadata.finalizers ?? [])
  );
}

/** Lets a change pass when its filter throws, and reports it once. */
function failOpen(
  { controller, log }: TriggerContext,
  filter: ChangeFilter | undefined,
  id: string,
): ChangeFilter {
  if (filter === undefined) {
    return () => true;
  }
  let isTold = false;
  return (next, previous) => {
    try {
      return filter(next, previous);
    } catch (error) {
      if (!isTold) {
        isTold = true;
        log.error(`a filter of ${controller.name} for ${id} threw; its changes pass`, error);
      }
      return true;
    }
  };
}
