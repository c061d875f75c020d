import { inspect } from "node:util";

const redacted = "[redacted]";

/**
 * A text that only `reveal()` returns: `util.inspect`, `JSON.stringify` and string conversion return `[redacted]`. Keys
 * and tokens are passed as secrets, so that a logged configuration does not disclose them.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    Object.defineProperty(this, inspect.custom, { value: () => redacted });
  }

  /** Returns the text. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return redacted;
  }

  toJSON(): string {
    return redacted;
  }
}

/** Returns the text of a secret, or the string itself. */
export function reveal(text: Secret | string): string {
  return typeof text === "string" ? text : text.reveal();
}
