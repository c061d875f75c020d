import type { KubeObject, Live } from "@typekube/api";
import {
  cloneJson,
  isJsonObject,
  type JsonObject,
  jsonEqual,
  type Projection,
  projectValue,
} from "@typekube/core/internal";
import { unseenFields } from "./unseen-fields.js";

interface Applied {
  /** A copy of the object as it was applied: programs change their templates in place. */
  readonly intent: object;
  readonly uid: string;
  /** The values that the applied fields then had on the server: with its defaults and its forms of quantities. */
  readonly values: unknown;
  /** Identifies the state of the applied fields that the cache does not keep; `undefined` without such fields. */
  readonly unseen: Unseen | undefined;
}

interface Unseen {
  readonly isSpecOnly: boolean;
  readonly generation: number | undefined;
  readonly resourceVersion: string;
}

/**
 * Remembers the last apply of each object. The intent is compared with the last intent, and the cached object with the
 * server's own response: the server's defaults and forms never look like a change. Applied fields that the cache does not
 * keep are compared by the object's generation, or else by its resourceVersion.
 */
export class AppliedMemory {
  readonly #applied = new Map<string, Applied>();

  /** Number of remembered objects. */
  get size(): number {
    return this.#applied.size;
  }

  /**
   * Records an apply and the server's response to it.
   *
   * @param kept - projection of the cache of the kind. Default: whole objects.
   * @returns the applied fields that the cache does not keep.
   */
  note(
    id: string,
    intent: object,
    response: Live<KubeObject>,
    kept?: Projection,
  ): readonly string[] {
    const { uid, generation, resourceVersion } = response.metadata;
    const values = valuesAt(seen(response, kept), intent);
    const missing = kept === undefined ? [] : unseenFields(intent, kept.root);
    const isSpecOnly = missing.every((path) => path === "spec" || path.startsWith("spec."));
    const unseen = missing.length === 0 ? undefined : { isSpecOnly, generation, resourceVersion };
    this.#applied.set(id, { intent: cloneJson(intent), uid, values, unseen });
    return isSpecOnly && generation !== undefined ? [] : missing;
  }

  /** Returns true when applying again would change nothing: the same intent, on fields that nobody changed. */
  isSettled(
    id: string,
    intent: object,
    cached: Live<KubeObject> | undefined,
    kept?: Projection,
  ): boolean {
    const known = this.#applied.get(id);
    return (
      known !== undefined &&
      cached !== undefined &&
      cached.metadata.uid === known.uid &&
      jsonEqual(known.intent, intent) &&
      jsonEqual(known.values, valuesAt(seen(cached, kept), intent)) &&
      isUnchanged(cached, known.unseen)
    );
  }

  /** Forgets an object that was deleted. */
  forget(id: string): void {
    this.#applied.delete(id);
  }
}

/** Returns what the cache keeps of an object. The cache may share a watch that keeps more. */
function seen(object: Live<KubeObject>, kept: Projection | undefined): object {
  return kept === undefined ? object : (projectValue(object, kept.root) as object);
}

/** Returns true when nobody has changed the fields that the cache does not keep. */
function isUnchanged({ metadata }: Live<KubeObject>, unseen: Unseen | undefined): boolean {
  if (unseen === undefined || metadata.resourceVersion === unseen.resourceVersion) {
    return true;
  }
  // The generation grows with each change of the spec, and not with changes of the status.
  return (
    unseen.isSpecOnly &&
    unseen.generation !== undefined &&
    metadata.generation === unseen.generation
  );
}

/**
 * Returns the values of an object at the fields of another one. Lists are taken as a whole, because their items may be
 * in another order or beside items of others.
 */
function valuesAt(object: object, fields: object): unknown {
  const values: JsonObject = {};
  for (const [name, field] of Object.entries(fields)) {
    const value: unknown = Object.hasOwn(object, name)
      ? object[name as keyof typeof object]
      : undefined;
    if (name === "stringData") {
      // Servers store it as data.
      const { data = {} } = object as { readonly data?: object };
      values["data"] = { ...(values["data"] as object), ...(valuesAt(data, field) as object) };
    } else {
      values[name] = isJsonObject(field) && isJsonObject(value) ? valuesAt(value, field) : value;
    }
  }
  return values;
}
