import type { OptionCheck } from "@typekube/core/internal";
import { markerStart } from "./marker-start.js";

/** Names of keys that are not one character. (docker: `--detach-keys`) */
const controlKeys = /^ctrl-([a-z@[\\\]^_])$/;

/**
 * Returns the bytes that keys such as `ctrl-p,ctrl-q` send; `undefined` for invalid ones. Each key is a character,
 * `ctrl-` with a letter or one of `@[\]^_`, or `DEL`.
 */
export function parseKeys(keys: string): Buffer | undefined {
  const bytes: number[] = [];
  for (const key of keys.split(",")) {
    const control = controlKeys.exec(key)?.[1];
    if (control !== undefined) {
      bytes.push(control.toUpperCase().charCodeAt(0) - 64);
    } else if (key === "DEL") {
      bytes.push(127);
    } else if (/^[\x21-\x7e]$/.test(key)) {
      bytes.push(key.charCodeAt(0));
    } else {
      return undefined;
    }
  }
  return Buffer.from(bytes);
}

/** Check of the option `detachKeys`. */
export const detachKeys: OptionCheck = {
  mustBe: 'keys such as "ctrl-p,ctrl-q"',
  isValid: (value) => typeof value === "string" && parseKeys(value) !== undefined,
};

/** How a session ends when its keys are pressed. */
export interface Detach<Code extends number | undefined> {
  /** Finds the keys in the input. */
  readonly keys: DetachKeys;
  /** Exit code of the result. */
  readonly exitCode: Code;
}

/** Returns how valid keys end a session; `undefined` without keys. */
export function detachBy(keys: string | undefined): Detach<number | undefined> | undefined {
  const bytes = keys === undefined ? undefined : parseKeys(keys);
  return bytes && { keys: new DetachKeys(bytes), exitCode: undefined };
}

/** Finds keys in the input of a session, and keeps them back: a part of them is sent with the key after it. */
export class DetachKeys {
  readonly #keys: Buffer;
  /** Number of keys that were pressed. */
  #matched = 0;

  constructor(keys: Buffer) {
    this.#keys = keys;
  }

  /** `true` once all keys were pressed. */
  get arePressed(): boolean {
    return this.#matched === this.#keys.byteLength;
  }

  /** Returns the input to send. What follows the keys is dropped. */
  pass(input: Uint8Array): Uint8Array {
    const all = Buffer.concat([this.#keys.subarray(0, this.#matched), input]);
    const at = markerStart(all, this.#keys);
    this.#matched = Math.min(this.#keys.byteLength, all.byteLength - at);
    return all.subarray(0, at);
  }

  /** Returns the keys that were kept back, for the end of the input. */
  end(): Uint8Array {
    const rest = this.#keys.subarray(0, this.#matched);
    this.#matched = 0;
    return rest;
  }
}
