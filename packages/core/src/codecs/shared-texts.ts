/** Most objects that are of a type that are shared by their only text. Clusters have up to some thousand nodes. */
const maxObjects = 8_192;
/** Longer texts rarely repeat. */
const maxLength = 128;

/** Shared objects of which a single field is read, by its text: the node of a pod, its phase. */
export class SharedTexts {
  readonly #field: string;
  readonly #byText = new Map<string, object>();

  /** @param field - name of the field. */
  constructor(field: string) {
    this.#field = field;
  }

  /** Returns the frozen object with a text, if there is one. */
  find(text: string): object | undefined {
    return this.#byText.get(text);
  }

  /** Returns the frozen object with the same text. The first one with a text is frozen and kept. */
  shared(object: object): object {
    const text = (object as Readonly<Record<string, unknown>>)[this.#field];
    if (typeof text !== "string" || text.length > maxLength) {
      return object;
    }
    const known = this.#byText.get(text);
    if (known === undefined && this.#byText.size < maxObjects) {
      this.#byText.set(text, Object.freeze(object));
    }
    return known ?? object;
  }
}
