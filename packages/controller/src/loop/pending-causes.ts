import { type Cause, maxCauses } from "../run/causes.js";

/** Causes of the next run of each key. One cause, or several: most keys have one. */
export class PendingCauses {
  readonly #causes = new Map<string, Cause | Cause[]>();

  /** Adds a cause, unless the key has so many that one more says nothing. */
  add(key: string, cause: Cause): void {
    const causes = this.#causes.get(key);
    if (causes === undefined) {
      this.#causes.set(key, cause);
    } else if (!Array.isArray(causes)) {
      this.#causes.set(key, [causes, cause]);
    } else if (causes.length < maxCauses) {
      causes.push(cause);
    }
  }

  /** Returns the causes of a key. */
  of(key: string): readonly Cause[] {
    return [this.#causes.get(key) ?? []].flat();
  }

  /** Returns the causes of a key, as they are stored, and forgets them. */
  take(key: string): Cause | Cause[] | undefined {
    const causes = this.#causes.get(key);
    if (causes !== undefined) {
      this.#causes.delete(key);
    }
    return causes;
  }

  forget(key: string): void {
    this.#causes.delete(key);
  }
}
