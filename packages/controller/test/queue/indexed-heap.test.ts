import { seededRandom } from "@typekube/test-support/seeded-random";
import { expect, it } from "vitest";
import { IndexedHeap } from "../../src/queue/entries/indexed-heap.js";

interface Item {
  value: number;
  heapIndex: number;
}

it("CQ28: a heap of 100,000 items needs at most log2(n) comparisons for a push, and twice that for a removal", () => {
  const random = seededRandom(1);
  let comparisons = 0;
  const heap = new IndexedHeap<Item>((a, b) => {
    comparisons++;
    return a.value < b.value;
  });
  let most = 0;
  for (let i = 0; i < 100_000; i++) {
    comparisons = 0;
    heap.push({ value: random(), heapIndex: -1 });
    most = Math.max(most, comparisons);
  }
  expect(most).toBeLessThanOrEqual(17);
  most = 0;
  for (let i = 0; i < 1_000; i++) {
    comparisons = 0;
    heap.remove(heap.peek() as Item);
    most = Math.max(most, comparisons);
  }
  expect(most).toBeLessThanOrEqual(2 * 17 + 1);
});

it("CQ28: a heap returns items in order after random pushes, removals and changes", () => {
  const random = seededRandom(2);
  const heap = new IndexedHeap<Item>((a, b) => a.value < b.value);
  const items: Item[] = [];
  for (let i = 0; i < 2_000; i++) {
    const item = items[Math.floor(random() * items.length)];
    const step = random();
    if (item === undefined || step < 0.5) {
      const added = { value: random(), heapIndex: -1 };
      items.push(added);
      heap.push(added);
    } else if (step < 0.7) {
      items.splice(items.indexOf(item), 1);
      heap.remove(item);
      expect(item.heapIndex).toBe(-1);
    } else {
      item.value = random();
      heap.update(item);
    }
    expect(heap.size).toBe(items.length);
    expect(heap.peek()?.value).toBe(
      items.length === 0 ? undefined : Math.min(...items.map(({ value }) => value)),
    );
  }
});
