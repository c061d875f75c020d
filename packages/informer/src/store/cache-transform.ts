import type { KubeObject, Live } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { atOnce } from "../at-once.js";
import { deepFreeze } from "./deep-freeze.js";

/**
 * Changes objects before they are cached, to keep less of them; or leaves an object out of the cache with `undefined`. It may
 * change the object it gets. The namespace, uid and resourceVersion must stay. One that renames changes what is seen: the key that `changes()`
 * tells and `get` finds the object by stays that of its name on the server.
 */
export type Transform<T extends KubeObject> = (object: Live<T>) => Live<T> | undefined;

/** What becomes of objects on their way into a cache. */
export interface TransformOptions<T extends KubeObject> {
  /**
   * Called once for each state of each object while it arrives, before anybody sees it. What it throws goes to `onError`, and the
   * object is left out.
   */
  readonly transform?: Transform<T> | undefined;
  /**
   * Freezes what is cached, all the way down, so that whoever changes an object of the cache gets a TypeError at the line that does
   * it. Default false: objects are shared as they are, at no cost. For tests and development.
   */
  readonly freeze?: boolean | undefined;
}

/** Takes an object in; `undefined` when it is left out. */
export type CacheTransform<T extends KubeObject> = (object: Live<T>) => Live<T> | undefined;

/** Puts the steps together; what is not asked for costs nothing. */
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
