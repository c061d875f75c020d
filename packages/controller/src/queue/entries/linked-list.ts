/** An item that can be in one {@link LinkedList} at a time. */
export interface Linked<T> {
  prev: T | undefined;
  next: T | undefined;
}

/** A list whose items carry its links: every operation is O(1) and allocates nothing. */
export class LinkedList<T extends Linked<T>> {
  head: T | undefined = undefined;
  tail: T | undefined = undefined;
  size = 0;

  push(item: T): void {
    item.prev = this.tail;
    if (this.tail === undefined) {
      this.head = item;
    } else {
      this.tail.next = item;
    }
    this.tail = item;
    this.size++;
  }

  /** Inserts an item after another one of this list; at the head if that is `undefined`. */
  insertAfter(place: T | undefined, item: T): void {
    const next = place === undefined ? this.head : place.next;
    if (next === undefined) {
      this.push(item);
      return;
    }
    item.prev = place;
    item.next = next;
    next.prev = item;
    if (place === undefined) {
      this.head = item;
    } else {
      place.next = item;
    }
    this.size++;
  }

  shift(): T | undefined {
    const item = this.head;
    if (item !== undefined) {
      this.remove(item);
    }
    return item;
  }

  /** Removes an item, which must be in this list. */
  remove(item: T): void {
    const { prev, next } = item;
    if (prev === undefined) {
      this.head = next;
    } else {
      prev.next = next;
    }
    if (next === undefined) {
      this.tail = prev;
    } else {
      next.prev = prev;
    }
    item.prev = undefined;
    item.next = undefined;
    this.size--;
  }
}
