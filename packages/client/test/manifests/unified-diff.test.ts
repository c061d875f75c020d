import { seededRandom } from "@typekube/test-support/seeded-random";
import { describe, expect, it } from "vitest";
import { lineEdits } from "../../src/manifests/line-edits.js";
import { unifiedDiff } from "../../src/manifests/unified-diff.js";

const titles = { before: "a", after: "b" };

/** Applies a diff to a text, as `patch` would. */
function patched(before: string, diff: string): string {
  const source = before.split("\n");
  const out: string[] = [];
  let at = 0;
  for (const line of diff.split("\n").slice(2)) {
    const hunk = /^@@ -(\d+),(\d+) /.exec(line);
    if (hunk) {
      const start = Number(hunk[1]) - (hunk[2] === "0" ? 0 : 1);
      out.push(...source.slice(at, start));
      at = start;
    } else if (line.startsWith("+")) {
      out.push(line.slice(1));
    } else if (line !== "") {
      expect(source[at]).toBe(line.slice(1));
      if (line.startsWith(" ")) {
        out.push(line.slice(1));
      }
      at++;
    }
  }
  return [...out, ...source.slice(at)].join("\n");
}

describe("a unified diff", () => {
  it("of equal texts is the empty text", () => {
    expect(unifiedDiff("a\nb\n", "a\nb\n", titles)).toBe("");
    expect(unifiedDiff("", "", titles)).toBe("");
  });

  it("shows three lines around a change, and joins changes that are close together", () => {
    const lines = Array.from({ length: 20 }, (_, i) => `l${i}`);
    const changed = lines.with(2, "x").with(5, "y").with(17, "z");
    expect(unifiedDiff(lines.join("\n"), changed.join("\n"), titles)).toBe(`--- a
+++ b
@@ -1,9 +1,9 @@
 l0
 l1
-l2
+x
 l3
 l4
-l5
+y
 l6
 l7
 l8
@@ -15,6 +15,6 @@
 l14
 l15
 l16
-l17
+z
 l18
 l19
`);
  });

  it("gives an empty side no lines", () => {
    expect(unifiedDiff("", "a\n", titles)).toBe("--- a\n+++ b\n@@ -0,0 +1,1 @@\n+a\n");
    expect(unifiedDiff("a\n", "", titles)).toBe("--- a\n+++ b\n@@ -1,1 +0,0 @@\n-a\n");
  });

  it("turns the first text into the other, with the fewest possible lines (500 random pairs)", () => {
    const random = seededRandom(7);
    const text = () =>
      Array.from({ length: Math.floor(random() * 12) + 1 }, () => "abc"[Math.floor(random() * 3)]);
    for (let round = 0; round < 500; round++) {
      const before = text() as string[];
      const after = text() as string[];
      const diff = unifiedDiff(before.join("\n"), after.join("\n"), titles);
      expect(patched(before.join("\n"), diff)).toBe(after.join("\n"));
      const edits = lineEdits(before, after);
      const common = edits.filter(({ sign }) => sign === " ").length;
      expect(common).toBe(longestCommon(before, after));
    }
  });

  it("of texts with too many differences contains both as a whole", () => {
    const before = Array.from({ length: 3_000 }, (_, i) => `a${i}`);
    const after = Array.from({ length: 3_000 }, (_, i) => `b${i}`);
    const edits = lineEdits(["same", ...before], ["same", ...after]);
    expect(edits.map(({ sign }) => sign).join("")).toBe(
      ` ${"-".repeat(3_000)}${"+".repeat(3_000)}`,
    );
  });
});

/** Returns the length of the longest common subsequence by the textbook algorithm, for comparison. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const at = (i: number, j: number) => table[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const row = table[i] as number[];
      row[j] = a[i - 1] === b[j - 1] ? at(i - 1, j - 1) + 1 : Math.max(at(i - 1, j), at(i, j - 1));
    }
  }
  return at(a.length, b.length);
}
