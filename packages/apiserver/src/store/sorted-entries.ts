import type { ApiObject } from "../objects/api-object.js";

/** A key in the collection and its object. */
export type Entry = readonly [key: string, object: ApiObject];

/** A run of adjacent entries. Only its owner may change it; others copy it first. */
interface Chunk {
  readonly owner: object;
  readonly keys: string[];
  readonly objects: ApiObject[];
}

/** Chunk size above which a chunk is split: small enough to copy, large enough to keep chunks few. */
const maxChunk = 512;

/**
 * Objects sorted by key. A fork shares all chunks; a write on either side then copies only the chunk that it changes,
 * so the cost of a fork does not depend on the number of objects.
 */
export class SortedEntries {
  /** Number of entries copied because they were shared. For tests of the cost of forks. */
  copied = 0;
  /** Marks the chunks that only this instance uses. A fork gives both sides new marks. */
  #owner: object = {};
  #chunks: Chunk[] = [];
  #ownsChunks = true;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(key: string): ApiObject | undefined {
    const chunk = this.#chunks[this.#chunkOf(key)];
    if (chunk === undefined) {
      return undefined;
    }
    const at = lowerBound(chunk.keys, key);
    return chunk.keys[at] === key ? chunk.objects[at] : undefined;
  }

  set(key: string, object: ApiObject): void {
    const position = Math.min(this.#chunkOf(key), Math.max(0, this.#chunks.length - 1));
    const chunk = this.#own(position);
    const at = lowerBound(chunk.keys, key);
    if (chunk.keys[at] === key) {
      chunk.objects[at] = object;
      return;
    }
    this.#size++;
    if (at === chunk.keys.length) {
      chunk.keys.push(key);
      chunk.objects.push(object);
    } else {
      chunk.keys.splice(at, 0, key);
      chunk.objects.splice(at, 0, object);
    }
    if (chunk.keys.length > maxChunk) {
      this.#cut(position, chunk, at === chunk.keys.length - 1);
    }
  }

  delete(key: string): void {
    const position = this.#chunkOf(key);
    const shared = this.#chunks[position];
    const at = shared === undefined ? -1 : lowerBound(shared.keys, key);
    if (shared?.keys[at] !== key) {
      return;
    }
    const chunk = this.#own(position);
    this.#size--;
    chunk.keys.splice(at, 1);
    chunk.objects.splice(at, 1);
    if (chunk.keys.length === 0) {
      this.#chunks.splice(position, 1);
    }
  }

  /** The entries whose key starts with `prefix`, in the order of their keys, from `start` on. */
  select(prefix: string, start = ""): Entry[] {
    const from = start > prefix ? start : prefix;
    const selected: Entry[] = [];
    for (let position = this.#chunkOf(from); position < this.#chunks.length; position++) {
      const { keys = [], objects = [] } = this.#chunks[position] ?? {};
      for (let at = lowerBound(keys, from); at < keys.length; at++) {
        const key = keys[at] ?? "";
        const object = objects[at];
        if (object === undefined || !key.startsWith(prefix)) {
          return selected;
        }
        selected.push([key, object]);
      }
    }
    return selected;
  }

  /** Returns an independent copy in constant time. */
  fork(): SortedEntries {
    const fork = new SortedEntries();
    fork.#chunks = this.#chunks;
    fork.#size = this.#size;
    fork.#ownsChunks = false;
    this.#ownsChunks = false;
    this.#owner = {};
    return fork;
  }

  /** Returns the keys whose objects differ; skips chunks that both sides share. */
  differences(other: SortedEntries): string[] {
    const theirs = new Set(other.#chunks);
    const shared = new Set(this.#chunks.filter((chunk) => theirs.has(chunk)));
    const keys = [this, other].flatMap((side) =>
      side.#chunks.filter((chunk) => !shared.has(chunk)).flatMap((chunk) => chunk.keys),
    );
    return [...new Set(keys)].filter((key) => this.get(key) !== other.get(key)).sort();
  }

  /**
   * Returns the index of the chunk that contains or would contain a key; the number of chunks when the key is after all
   * others.
   */
  #chunkOf(key: string): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const last = this.#chunks[middle]?.keys.at(-1) ?? "";
      if (last < key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  #own(position: number): Chunk {
    if (!this.#ownsChunks) {
      this.#chunks = [...this.#chunks];
      this.#ownsChunks = true;
    }
    const chunk = this.#chunks[position];
    if (chunk?.owner === this.#owner) {
      return chunk;
    }
    this.copied += chunk?.keys.length ?? 0;
    const { keys = [], objects = [] } = chunk ?? {};
    const own = { owner: this.#owner, keys: [...keys], objects: [...objects] };
    this.#chunks[position] = own;
    return own;
  }

  /** Splits a chunk. Appending objects in key order leaves full chunks behind instead of half-full ones. */
  #cut(position: number, { keys, objects }: Chunk, atEnd: boolean): void {
    const from = atEnd ? keys.length - 1 : keys.length >>> 1;
    this.#chunks.splice(position + 1, 0, {
      owner: this.#owner,
      keys: keys.splice(from),
      objects: objects.splice(from),
    });
  }
}

/** Returns the first position whose key is not less than `key`. */
function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? "") < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
