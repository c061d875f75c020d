import type { KubeObject, Live } from "@typekube/api";
import { cloneJson, isJsonObject, type JsonObject, jsonEqual } from "@typekube/core/internal";

interface Applied {
  /** A copy of the object as it was applied: programs change their templates in place. */
  readonly intent: object;
  readonly uid: string;
  /** The values that the applied fields then had on the server: with its defaults and its forms of quantities. */
  readonly values: unknown;
}

/**
 * Remembers the last apply of each object. The intent is compared with the last intent, and the cached object with the
 * server's own response: the server's defaults and forms never look like a change.
 */
export class AppliedMemory {
  readonly #applied = new Map<string, Applied>();

  /** Number of remembered objects. */
  get size(): number {
    return this.#applied.size;
  }

  /** Records an apply and the server's response to it. */
  note(id: string, intent: object, response: Live<KubeObject>): void {
    const { uid } = response.metadata;
    const values = valuesAt(response, intent);
    this.#applied.set(id, { intent: cloneJson(intent), uid, values });
  }

  /** Returns true when applying again would change nothing: the same intent, on fields that nobody changed. */
  isSettled(id: string, intent: object, cached: Live<KubeObject> | undefined): boolean {
    const known = this.#applied.get(id);
    return (
      known !== undefined &&
      cached !== undefined &&
      cached.metadata.uid === known.uid &&
      jsonEqual(known.intent, intent) &&
      jsonEqual(known.values, valuesAt(cached, intent))
    );
  }

  /** Forgets an object that was deleted. */
  forget(id: string): void {
    this.#applied.delete(id);
  }
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
