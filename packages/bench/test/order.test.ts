import { describe, expect, it } from "vitest";
import { orderOf } from "../src/run-tasks.js";

describe.each([2, 4, 5, 7, 12])("order of %i rows", (count) => {
  const rows = Array.from({ length: count }, (_, row) => row);
  const rounds = rows.map((round) => orderOf(rows, round));

  it("has every row in every round, and in every place once", () => {
    for (const round of rounds) {
      expect([...round].sort((a, b) => a - b)).toEqual(rows);
    }
    for (const place of rows) {
      expect(new Set(rounds.map((round) => round[place])).size).toBe(count);
    }
  });

  it("does not put a row behind the same one every time", () => {
    for (const row of rows) {
      const before = rounds.map((round) => round[round.indexOf(row) - 1] ?? -1);
      const most = Math.max(...before.map((one) => before.filter((other) => other === one).length));
      // With an odd number of rows, a predecessor occurs twice.
      expect(most).toBeLessThanOrEqual(count % 2 === 0 ? 1 : 2);
    }
  });
});

it("the order of no rows is empty", () => {
  expect(orderOf([], 3)).toEqual([]);
});
