import { inspect } from "node:util";

const redacted = "[redacted]";

/**
 * A text that shows itself only to who asks for it: `util.inspect`, `JSON.stringify` and string conversion
 * give `[redacted]`. Keys and tokens travel in it, so that a logged configuration gives nothing away.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    Object.defineProperty(this, inspect.custom, { value: () => redacted });
  }

  /** The text itself. */
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

/** The text of a secret, or the text itself. */
export function reveal(text: Secret | string): string {
  return typeof text === "string" ? text : text.reveal();
}
