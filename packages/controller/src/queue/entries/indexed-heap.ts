/** An item of an {@link IndexedHeap}, which knows its place in it. */
export interface HeapItem {
  /** -1 while the item is in no heap. */
  heapIndex: number;
}

/** A binary heap whose items can be moved and removed in O(log n). */
export class IndexedHeap<T extends HeapItem> {
  readonly #items: T[] = [];
  readonly #isBefore: (a: T, b: T) => boolean;

  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#items.length;
  }

  /** Returns the first item without removing it. */
  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    item.heapIndex = this.#items.length;
    this.#items.push(item);
    this.#up(item);
  }

  /** Removes an item, which must be in this heap. */
  remove(item: T): void {
    const last = this.#items.pop() as T;
    if (last !== item) {
      last.heapIndex = item.heapIndex;
      this.#items[last.heapIndex] = last;
      this.update(last);
    }
    item.heapIndex = -1;
  }

  /** Restores the order after an item of this heap changed. */
  update(item: T): void {
    this.#up(item);
    this.#down(item);
  }

  clear(): void {
    for (const item of this.#items) {
      item.heapIndex = -1;
    }
    this.#items.length = 0;
  }

  #up(item: T): void {
    let index = item.heapIndex;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = this.#items[parentIndex] as T;
      if (!this.#isBefore(item, parent)) {
        break;
      }
      this.#place(parent, index);
      index = parentIndex;
    }
    this.#place(item, index);
  }

  #down(item: T): void {
    const { length } = this.#items;
    let index = item.heapIndex;
    for (;;) {
      let childIndex = 2 * index + 1;
      if (childIndex >= length) {
        break;
      }
      let child = this.#items[childIndex] as T;
      const other = this.#items[childIndex + 1];
      if (other !== undefined && this.#isBefore(other, child)) {
        child = other;
        childIndex++;
      }
      if (!this.#isBefore(child, item)) {
        break;
      }
      this.#place(child, index);
      index = childIndex;
    }
    this.#place(item, index);
  }

  #place(item: T, index: number): void {
    this.#items[index] = item;
    item.heapIndex = index;
  }
}
