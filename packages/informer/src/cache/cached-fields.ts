import { contains, type Selection, selectFields, selectionOf } from "@typekube/core/internal";

/**
 * The fields that a shared cache keeps. Until its first request they can be extended: decoding the fields of several
 * informers once costs less than another watch.
 */
export class CachedFields {
  #fields: Set<string> | undefined;
  /** Selection of the fields, which grows with them; `undefined` for whole objects. */
  #selection: Selection | undefined;
  #isFixed = false;

  /** @param fields - paths; `undefined` for whole objects. */
  constructor(fields: readonly string[] | undefined) {
    this.#fields = fields && new Set(fields);
    this.#selection = fields && selectionOf(fields);
  }

  /** The fields; `undefined` for whole objects. */
  get current(): readonly string[] | undefined {
    return this.#fields && [...this.#fields];
  }

  /** Returns the fields for a request. From then on they stay. */
  take(): readonly string[] | undefined {
    this.#isFixed = true;
    return this.current;
  }

  /**
   * Returns whether the cache keeps everything that an informer wants.
   *
   * @param wanted - selection of its fields; `undefined` for whole objects.
   */
  contain(wanted: Selection | undefined): boolean {
    return (
      this.#selection === undefined || (wanted !== undefined && contains(this.#selection, wanted))
    );
  }

  /** Adds fields if there was no request yet. Returns whether it did. */
  extend(wanted: readonly string[] | undefined): boolean {
    if (this.#isFixed || this.#fields === undefined || this.#selection === undefined) {
      return false;
    }
    if (wanted === undefined) {
      this.#fields = undefined;
      this.#selection = undefined;
      return true;
    }
    selectFields(this.#selection, wanted);
    for (const field of wanted) {
      this.#fields.add(field);
    }
    return true;
  }
}
