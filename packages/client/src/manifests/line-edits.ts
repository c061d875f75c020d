/** One line of a comparison. */
export interface LineEdit {
  readonly sign: " " | "+" | "-";
  readonly line: string;
}

/** Maximum number of differing lines for which the shortest edit is searched; memory grows with its square. */
const maxDifferences = 1_000;

/**
 * Returns the shortest edit from one text to another by deleting and inserting lines, after Myers (1986). When more
 * than a thousand lines differ, the differing part is replaced as a whole.
 */
export function lineEdits(before: readonly string[], after: readonly string[]): LineEdit[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) {
    start++;
  }
  let end = 0;
  const shorter = Math.min(before.length, after.length) - start;
  while (end < shorter && before[before.length - 1 - end] === after[after.length - 1 - end]) {
    end++;
  }
  const same = (lines: readonly string[]) => lines.map((line) => ({ sign: " ", line }) as const);
  return [
    ...same(before.slice(0, start)),
    ...middleEdits(
      before.slice(start, before.length - end),
      after.slice(start, after.length - end),
    ),
    ...same(before.slice(before.length - end)),
  ];
}

function middleEdits(before: readonly string[], after: readonly string[]): LineEdit[] {
  const trace = furthestWays(before, after);
  if (trace === undefined) {
    return [
      ...before.map((line) => ({ sign: "-", line }) as const),
      ...after.map((line) => ({ sign: "+", line }) as const),
    ];
  }
  const edits: LineEdit[] = [];
  let x = before.length;
  let y = after.length;
  for (let d = trace.length - 1; d >= 0; d--) {
    const ways = trace[d] ?? new Map<number, number>();
    const k = x - y;
    const isDown = k === -d || (k !== d && (ways.get(k - 1) ?? -1) < (ways.get(k + 1) ?? -1));
    const from = isDown ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : (ways.get(from) ?? 0);
    const fromY = d === 0 ? 0 : fromX - from;
    while (x > fromX && y > fromY) {
      edits.push({ sign: " ", line: before[--x] ?? "" });
      y--;
    }
    if (d > 0) {
      edits.push(
        isDown ? { sign: "+", line: after[--y] ?? "" } : { sign: "-", line: before[--x] ?? "" },
      );
    }
  }
  return edits.reverse();
}

/**
 * Returns, for each number of differences, the furthest position on each diagonal before that step; `undefined` when
 * there are too many differences.
 */
function furthestWays(
  before: readonly string[],
  after: readonly string[],
): ReadonlyMap<number, number>[] | undefined {
  const trace: Map<number, number>[] = [];
  let ways = new Map<number, number>([[1, 0]]);
  for (let d = 0; d <= maxDifferences; d++) {
    trace.push(ways);
    const next = new Map(ways);
    for (let k = -d; k <= d; k += 2) {
      const left = next.get(k - 1) ?? -1;
      const right = next.get(k + 1) ?? -1;
      let x = k === -d || (k !== d && left < right) ? right : left + 1;
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) {
        x++;
      }
      next.set(k, x);
      if (x >= before.length && x - k >= after.length) {
        return trace;
      }
    }
    ways = next;
  }
  return undefined;
}
