import { type Entry, isAged } from "../entries/entry.js";
import { type HeapItem, IndexedHeap } from "../entries/indexed-heap.js";
import { FifoLane, type Lane } from "./lane.js";

/** Empty buckets that are kept for later. Programs use few priorities, mostly 0 and -100. */
const spareBuckets = 32;

/** The ready keys of one rank. */
interface Bucket extends HeapItem {
  readonly rank: number;
  readonly lane: Lane;
  /** Keys of lower priorities that have waited long; they take turns with the others. Only in rank 0. */
  aged: FifoLane | undefined;
  isTurnOfAged: boolean;
}

/** Ready keys by priority: the highest first, in each one in the order of its lane. */
export class PriorityLanes {
  readonly #createLane: () => Lane;
  readonly #buckets = new Map<number, Bucket>();
  /** The buckets that have keys. */
  readonly #heap = new IndexedHeap<Bucket>((a, b) => a.rank > b.rank);
  size = 0;

  constructor(createLane: () => Lane) {
    this.#createLane = createLane;
  }

  push(entry: Entry): void {
    this.#laneFor(entry).push(entry);
  }

  /** Inserts a key before those that were never parked. */
  putBack(entry: Entry): void {
    this.#laneFor(entry).putBack(entry);
  }

  shift(): Entry | undefined {
    const bucket = this.#heap.peek();
    if (bucket === undefined) {
      return undefined;
    }
    const entry = shiftFrom(bucket);
    this.size--;
    this.#retireIfEmpty(bucket);
    return entry;
  }

  /** Removes a key, which must be in these lanes. */
  remove(entry: Entry): void {
    const bucket = this.#buckets.get(rankOf(entry)) as Bucket;
    ((entry.flags & isAged) === 0 ? bucket.lane : (bucket.aged as FifoLane)).remove(entry);
    this.size--;
    this.#retireIfEmpty(bucket);
  }

  #laneFor(entry: Entry): Lane {
    const rank = rankOf(entry);
    let bucket = this.#buckets.get(rank);
    if (bucket === undefined) {
      const lane = this.#createLane();
      bucket = { rank, lane, aged: undefined, isTurnOfAged: true, heapIndex: -1 };
      this.#buckets.set(rank, bucket);
    }
    if (bucket.heapIndex === -1) {
      this.#heap.push(bucket);
    }
    this.size++;
    if ((entry.flags & isAged) === 0) {
      return bucket.lane;
    }
    bucket.aged ??= new FifoLane();
    return bucket.aged;
  }

  #retireIfEmpty(bucket: Bucket): void {
    if (bucket.lane.size > 0 || (bucket.aged !== undefined && bucket.aged.size > 0)) {
      return;
    }
    this.#heap.remove(bucket);
    if (this.#buckets.size > spareBuckets) {
      this.#buckets.delete(bucket.rank);
    }
  }
}

/** Returns the priority that a key counts as. */
function rankOf(entry: Entry): number {
  return (entry.flags & isAged) === 0 ? entry.priority : 0;
}

function shiftFrom(bucket: Bucket): Entry | undefined {
  const { aged, lane } = bucket;
  if (aged === undefined || aged.size === 0) {
    return lane.shift();
  }
  if (bucket.isTurnOfAged || lane.size === 0) {
    bucket.isTurnOfAged = false;
    return aged.shift();
  }
  bucket.isTurnOfAged = true;
  return lane.shift();
}
