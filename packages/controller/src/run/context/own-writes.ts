import type { KubeObject, Live } from "@typekube/api";
import { isJsonObject, type JsonObject, jsonEqual } from "@typekube/core/internal";
import { objectKey } from "@typekube/informer";

/** Writes of one object that are remembered; a run that writes more often gets a run more. */
const maxExpected = 8;

/** In place of a resourceVersion: the object was deleted. */
const gone = "gone";

interface Expected {
  readonly uid: string;
  /** Key of the object whose run wrote. */
  readonly by: string;
  readonly versions: Set<string>;
}

/**
 * The states that a controller's own writes left, to tell their echoes in the watch from changes of others. A write is
 * remembered only when nothing but its own fields differ from what its run had read: a change of somebody else that came
 * in between then still causes a run.
 */
export class OwnWrites {
  readonly #expected = new Map<string, Expected>();
  readonly #kinds: ReadonlySet<string> | undefined;

  /** @param kinds - those whose changes cause runs: the watch shows no echo of others. Default: all. */
  constructor(kinds?: ReadonlySet<string>) {
    this.#kinds = kinds;
  }

  /** Number of objects with remembered writes. */
  get size(): number {
    return this.#expected.size;
  }

  /**
   * Remembers a write.
   *
   * @param kind - identifies the kind.
   * @param by - key of the object whose run wrote.
   */
  expect(kind: string, { metadata }: Live<KubeObject>, by: string): void {
    if (this.#kinds?.has(kind) === false) {
      return;
    }
    const id = `${kind} ${objectKey({ metadata })}`;
    const known = this.#expected.get(id);
    if (known?.uid === metadata.uid && known.by === by) {
      if (known.versions.size < maxExpected) {
        known.versions.add(metadata.resourceVersion);
      }
      return;
    }
    this.#expected.set(id, {
      uid: metadata.uid,
      by,
      versions: new Set([metadata.resourceVersion]),
    });
  }

  /** Remembers that a run deleted an object, so that its deletion is no news for the run's key. */
  expectGone(kind: string, { metadata }: Live<KubeObject>, by: string): void {
    if (this.#kinds?.has(kind) === false) {
      return;
    }
    this.#expected.set(`${kind} ${objectKey({ metadata })}`, {
      uid: metadata.uid,
      by,
      versions: new Set([gone]),
    });
  }

  /** Returns true for a deletion that a run of this key asked for and saw succeed. */
  isOwnDeletion(kind: string, { metadata }: Live<KubeObject>, by: string): boolean {
    const known = this.#expected.get(`${kind} ${objectKey({ metadata })}`);
    return known?.uid === metadata.uid && known.by === by && known.versions.has(gone);
  }

  /** Returns true for a state that the last run of this key wrote itself. */
  isEcho(kind: string, { metadata }: Live<KubeObject>, by: string): boolean {
    const id = `${kind} ${objectKey({ metadata })}`;
    const known = this.#expected.get(id);
    if (known === undefined) {
      return false;
    }
    if (known.uid !== metadata.uid) {
      this.#expected.delete(id);
      return false;
    }
    const isOwn = known.by === by && known.versions.delete(metadata.resourceVersion);
    if (known.versions.size === 0) {
      this.#expected.delete(id);
    }
    return isOwn;
  }

  /**
   * Returns true when the watch has not shown a write of this key's last run: a snapshot that comes after the write skips
   * it, and may show the state before it because somebody else has restored that. The answer is given once.
   */
  hasSkipped(kind: string, { metadata }: Live<KubeObject>, by: string): boolean {
    const id = `${kind} ${objectKey({ metadata })}`;
    const known = this.#expected.get(id);
    const hasSkipped = known?.uid === metadata.uid && known.by === by && !known.versions.has(gone);
    if (hasSkipped) {
      this.#expected.delete(id);
    }
    return hasSkipped;
  }

  /** Forgets the writes of an object that was deleted. */
  forget(kind: string, object: Live<KubeObject>): void {
    this.#expected.delete(`${kind} ${objectKey(object)}`);
  }
}

/** Fields of the metadata that the server changes by itself with every write. */
const ofServer: ReadonlySet<string> = new Set(["generation", "managedFields", "resourceVersion"]);

/**
 * Returns true when two states of an object differ only in fields that were written.
 *
 * @param written - an object with the written fields, as in an apply or a merge patch.
 */
export function differsOnlyIn(
  before: Live<KubeObject>,
  after: Live<KubeObject>,
  written: object,
): boolean {
  return (
    before.metadata.uid === after.metadata.uid &&
    isWithin(before as unknown as JsonObject, after as unknown as JsonObject, written, true)
  );
}

function isWithin(
  before: JsonObject,
  after: JsonObject,
  written: object,
  isRoot: boolean,
): boolean {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  for (const name of names) {
    const mask: unknown = Object.hasOwn(written, name)
      ? written[name as keyof typeof written]
      : undefined;
    if (isRoot && name === "metadata") {
      const [old, now] = [metadataOf(before), metadataOf(after)];
      if (!isWithin(old, now, isJsonObject(mask) ? mask : {}, false)) {
        return false;
      }
    } else if (isRoot && (name === "apiVersion" || name === "kind")) {
      // Cached objects may lack what responses have.
    } else if (mask === undefined) {
      if (!jsonEqual(before[name] ?? null, after[name] ?? null)) {
        return false;
      }
    } else if (isJsonObject(mask)) {
      const [old, now] = [before[name] ?? {}, after[name] ?? {}];
      if (!isJsonObject(old) || !isJsonObject(now) || !isWithin(old, now, mask, false)) {
        return false;
      }
    } else if (Array.isArray(mask) && !isListWithin(before[name], after[name], mask)) {
      return false;
    }
  }
  return true;
}

/** Returns true when each item of a list was there before, or has what was written for one. */
function isListWithin(before: unknown, after: unknown, written: readonly unknown[]): boolean {
  const [old, now] = [before ?? [], after ?? []];
  return (
    Array.isArray(old) &&
    Array.isArray(now) &&
    now.every(
      (item) => old.some((one) => jsonEqual(one, item)) || written.some((one) => has(item, one)),
    )
  );
}

function has(value: unknown, part: unknown): boolean {
  if (part === undefined) {
    return true;
  }
  if (Array.isArray(value) && Array.isArray(part)) {
    return value.every((item) => part.some((one) => has(item, one)));
  }
  return isJsonObject(value) && isJsonObject(part)
    ? Object.entries(part).every(([name, field]) => has(value[name], field))
    : jsonEqual(value, part);
}

function metadataOf({ metadata }: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries((metadata ?? {}) as JsonObject).filter(([name]) => !ofServer.has(name)),
  );
}
