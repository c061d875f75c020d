import { projectionOf } from "@typekube/core/internal";

/**
 * The fields that a shared cache keeps. Until its first request they can be extended: decoding the fields of several
 * informers once costs less than another watch.
 */
export class CachedFields {
  #fields: readonly string[] | undefined;
  #isFixed = false;

  /** @param fields - paths; `undefined` for whole objects. */
  constructor(fields: readonly string[] | undefined) {
    this.#fields = fields;
  }

  /** The fields; `undefined` for whole objects. */
  get current(): readonly string[] | undefined {
    return this.#fields;
  }

  /** Returns the fields for a request. From then on they stay. */
  take(): readonly string[] | undefined {
    this.#isFixed = true;
    return this.#fields;
  }

  /** Returns whether the cache keeps everything that an informer wants. */
  contain(wanted: readonly string[] | undefined): boolean {
    if (this.#fields === undefined) {
      return true;
    }
    return wanted !== undefined && projectionOf(this.#fields).contains(projectionOf(wanted));
  }

  /** Adds fields if there was no request yet. Returns whether it did. */
  extend(wanted: readonly string[] | undefined): boolean {
    if (this.#isFixed || this.#fields === undefined) {
      return false;
    }
    this.#fields = wanted && [...new Set([...this.#fields, ...wanted])];
    return true;
  }
}
