import { pathBelow } from "./field-path.js";
import type { TextSpan } from "./find-place.js";
import type { TextNode } from "./text-node.js";

/** Returns the ranges of all scalars whose path is covered. */
export function coveredSpans(root: TextNode, covers: (path: string) => boolean): TextSpan[] {
  const spans: TextSpan[] = [];
  const visit = (node: TextNode, path: string) => {
    if (node.form === "scalar") {
      if (covers(path)) {
        spans.push(node);
      }
      return;
    }
    if (node.form === "list") {
      for (const [index, item] of node.items.entries()) {
        visit(item, `${path}[${index}]`);
      }
      return;
    }
    for (const [key, { value }] of node.entries) {
      visit(value, pathBelow(path, key));
    }
    for (const { key, value } of node.replaced) {
      visit(value, pathBelow(path, key));
    }
  };
  visit(root, "");
  return spans;
}

/**
 * Returns a line with the covered ranges replaced.
 *
 * @param start - offset of the line.
 */
export function maskedLine(
  line: string,
  start: number,
  spans: readonly TextSpan[],
  mask: string,
): string {
  let masked = "";
  let at = 0;
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const from = Math.max(0, span.start - start);
    const to = Math.min(line.length, span.end - start);
    if (from < to && from >= at) {
      masked += line.slice(at, from) + mask;
      at = to;
    }
  }
  return masked + line.slice(at);
}
