import type { TextEntry, TextNode } from "./text-node.js";

/** A range of offsets. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Part of an entry that a position denotes: the value, or the key in front of it. */
export type PlaceTarget = "key" | "value";

/**
 * Returns the range of a field in a text. If the field is missing, returns the range of the key of the nearest parent
 * that exists, since there the field must be added.
 *
 * @param path - path as a server writes it: `spec.ports[0].name`, `metadata.labels[a.b/c]`, `.spec.a`.
 */
export function findPlace(root: TextNode, path: string, target: PlaceTarget): TextSpan {
  const { node, entry, rest } = walk(root, path);
  return spanOf(node, entry, rest === "" ? target : "key");
}

/** Returns the node of a field; `undefined` if it is missing. */
export function findNode(root: TextNode, path: string): TextNode | undefined {
  const { node, rest } = walk(root, path);
  return rest === "" ? node : undefined;
}

/** Follows a path as far as it exists. */
function walk(root: TextNode, path: string): Step {
  let step: Step = { node: root, entry: undefined, rest: path };
  for (;;) {
    const rest = step.rest.replace(/^\./, "");
    const next = rest === "" ? undefined : nextStep(step.node, rest);
    if (next === undefined) {
      return { ...step, rest };
    }
    step = next;
  }
}

/** One step down, and the path below it. */
interface Step {
  readonly node: TextNode;
  readonly entry: TextEntry | undefined;
  readonly rest: string;
}

function nextStep(node: TextNode, path: string): Step | undefined {
  if (node.form === "list") {
    const [whole = "", index = ""] = /^\[(\d+)\]/.exec(path) ?? [];
    const item = index === "" ? undefined : node.items[Number(index)];
    return item && { node: item, entry: undefined, rest: path.slice(whole.length) };
  }
  if (node.form !== "mapping") {
    return undefined;
  }
  // Keys may contain dots and brackets, so the longest key wins that ends where a step ends.
  let found: Step | undefined;
  let longest = -1;
  for (const [key, entry] of node.entries) {
    const length = key.length;
    if (length <= longest) {
      continue;
    }
    const rest = restAfter(path, key);
    if (rest !== undefined) {
      longest = length;
      found = { node: entry.value, entry, rest };
    }
  }
  return found;
}

/** Returns the path below a key: `key`, `key.more`, `key[0]`, `[key]` or `["key"]`; `undefined` for another key. */
function restAfter(path: string, key: string): string | undefined {
  for (const form of [`[${key}]`, `[${JSON.stringify(key)}]`]) {
    if (path.startsWith(form)) {
      return path.slice(form.length);
    }
  }
  const rest = path.startsWith(key) ? path.slice(key.length) : undefined;
  return rest !== undefined && (rest === "" || /^[.[]/.test(rest)) ? rest : undefined;
}

/** Returns the range of a node. Collections are long: their key is shown, or their first character. */
export function spanOf(
  node: TextNode,
  entry: TextEntry | undefined,
  target: PlaceTarget,
): TextSpan {
  const isShort = node.form === "scalar" && node.end > node.start && !node.isBlock;
  if (entry !== undefined && (target === "key" || !isShort)) {
    return { start: entry.keyStart, end: entry.keyEnd };
  }
  return isShort ? node : { start: node.start, end: node.start + 1 };
}

/**
 * Returns the range of the first value with a JSON type on a path without indices, such as Go's decoder reports it:
 * `spec.template.spec.containers.name`. Falls back to the nearest parent.
 *
 * @param isWanted - accepts a value.
 */
export function findTyped(
  root: TextNode,
  steps: readonly string[],
  isWanted: (node: TextNode) => boolean,
): TextSpan | undefined {
  const visit = (
    node: TextNode,
    entry: TextEntry | undefined,
    at: number,
  ): TextSpan | undefined => {
    if (at === steps.length && isWanted(node)) {
      return spanOf(node, entry, "value");
    }
    if (node.form === "list") {
      return firstOf(node.items, (item) => visit(item, undefined, at));
    }
    if (node.form !== "mapping") {
      return undefined;
    }
    const next = node.entries.get(steps[at] ?? "");
    if (next !== undefined) {
      const below = visit(next.value, next, at + 1);
      if (below !== undefined) {
        return below;
      }
    }
    // Go reports a value of a map under the name of the map.
    return at === steps.length
      ? firstOf([...node.entries.values()], (one) => visit(one.value, one, at))
      : undefined;
  };
  return visit(root, undefined, 0);
}

function firstOf<T, R>(values: readonly T[], find: (value: T) => R | undefined): R | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}
