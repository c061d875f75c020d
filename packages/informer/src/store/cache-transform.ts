import type { KubeObject, Live } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { callback, markLike, type OptionTable } from "@typekube/core/internal";
import { atOnce } from "../callbacks/at-once.js";
import { deepFreeze } from "./deep-freeze.js";

/**
 * Modifies objects before they are cached, to keep less of them, or leaves an object out by returning `undefined`. It
 * may modify its argument. The namespace, uid and resourceVersion must stay, and so must some name. A transform that
 * renames an object changes only what is shown: in `changes()` and `get` the key remains that of the name on the
 * server.
 */
export type Transform<T extends KubeObject> = (object: Live<T>) => Live<T> | undefined;

/** Options for objects on their way into a cache. */
export interface TransformOptions<T extends KubeObject> {
  /**
   * Called once for each state of each object when it arrives, before any subscriber sees it. If it throws, the error
   * goes to `onError` and the object is left out.
   */
  readonly transform?: Transform<T> | undefined;
  /**
   * Freezes cached objects deeply, so that code that modifies one gets a TypeError at that line. Default false: objects
   * are shared unfrozen, at no cost. For tests and development.
   */
  readonly freeze?: boolean | undefined;
}

/** Names and checks of {@link TransformOptions}. */
export const transformOptions: OptionTable<TransformOptions<KubeObject>> = {
  freeze: true,
  transform: callback,
};

/** Prepares an object for the cache; `undefined` leaves it out. */
export type CacheTransform<T extends KubeObject> = (object: Live<T>) => Live<T> | undefined;

/** Combines transform and freeze. A step that is not configured costs nothing. */
export function createCacheTransform<T extends KubeObject>(
  { transform, freeze = false }: TransformOptions<T>,
  onError: (error: KubeError) => void,
): CacheTransform<T> {
  const transformed: CacheTransform<T> = transform
    ? (object) => transformSafely(transform, object, onError)
    : (object) => object;
  return freeze
    ? (object) => {
        const taken = transformed(object);
        return taken && deepFreeze(taken);
      }
    : transformed;
}

function transformSafely<T extends KubeObject>(
  transform: Transform<T>,
  object: Live<T>,
  onError: (error: KubeError) => void,
): Live<T> | undefined {
  const { name, namespace, uid, resourceVersion } = object.metadata;
  try {
    const taken = atOnce("a transform", transform(object));
    if (taken === undefined) {
      return undefined;
    }
    const after = (taken as Partial<Live<T>> | null)?.metadata;
    if (
      after?.name &&
      after.namespace === namespace &&
      after.uid === uid &&
      after.resourceVersion === resourceVersion
    ) {
      markLike(taken, object);
      return taken;
    }
    onError(
      new KubeError(
        "InvalidArgument",
        `the transform changed the namespace, uid or resourceVersion of ${name}, or removed its name`,
        { hint: "the cache identifies objects and their states by these fields" },
      ),
    );
  } catch (error) {
    onError(KubeError.from(error));
  }
  return undefined;
}
