import type { ApiObject } from "./stored-object.js";

/** An object and its key inside the collection. */
export type Entry = readonly [key: string, object: ApiObject];

/** A run of neighbours. Whoever is not its owner makes a copy before changing it. */
interface Chunk {
  readonly owner: object;
  readonly keys: string[];
  readonly objects: ApiObject[];
}

/** A chunk that grows beyond this is cut in two: small enough to be copied, large enough to be few. */
const maxChunk = 512;

/**
 * Objects in the order of their keys. A fork shares all of it at once; a write on either side then copies the one run
 * of neighbours that it changes, so the price of a fork does not depend on how much there is.
 */
export class SortedEntries {
  /** How many entries were copied because somebody shared them. For tests of what forks cost. */
  copied = 0;
  /** A mark by which chunks are known that nobody else sees. A fork gives both sides new ones. */
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

  /** The same entries, to be changed independently of these. Takes the same time however many there are. */
  fork(): SortedEntries {
    const fork = new SortedEntries();
    fork.#chunks = this.#chunks;
    fork.#size = this.#size;
    fork.#ownsChunks = false;
    this.#ownsChunks = false;
    this.#owner = {};
    return fork;
  }

  /** Keys whose objects are not the same in both; runs that both share are passed over unread. */
  differences(other: SortedEntries): string[] {
    const theirs = new Set(other.#chunks);
    const shared = new Set(this.#chunks.filter((chunk) => theirs.has(chunk)));
    const keys = [this, other].flatMap((side) =>
      side.#chunks.filter((chunk) => !shared.has(chunk)).flatMap((chunk) => chunk.keys),
    );
    return [...new Set(keys)].filter((key) => this.get(key) !== other.get(key)).sort();
  }

  /** The chunk where a key stands or would stand; their number when it is behind all. */
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

  /** Objects that come in the order of their names leave full chunks behind instead of half ones. */
  #cut(position: number, { keys, objects }: Chunk, atEnd: boolean): void {
    const from = atEnd ? keys.length - 1 : keys.length >>> 1;
    this.#chunks.splice(position + 1, 0, {
      owner: this.#owner,
      keys: keys.splice(from),
      objects: objects.splice(from),
    });
  }
}

/** The first position whose key is not before `key`. */
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
