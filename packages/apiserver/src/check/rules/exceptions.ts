import { isJsonObject } from "@typekube/core/internal";
import type { CheckItem } from "../items/check-item.js";
import { metadataOf } from "../items/check-item.js";
import type { TextNode } from "../text/text-node.js";

/** Annotation with exceptions, one per line: the rule, then the reason. */
export const ignoreAnnotation = "typekube.dev/ignore";

/** An exception in a manifest. */
export interface Exception {
  readonly rule: string;
  readonly reason: string;
  /** Offset of the exception; absent for an annotation. */
  readonly at?: number | undefined;
  /** Range of the excepted value; absent for the whole object. */
  readonly span?: { readonly start: number; readonly end: number } | undefined;
}

const comment = /^([ \t]*)#[ \t]*typekube-ignore:[ \t]*(\S+)[ \t]*(.*?)[ \t]*$/gm;

/** Returns true when an object may have exceptions. Reading them needs the positions of its document. */
export function mayHaveExceptions({ text, value }: CheckItem): boolean {
  return (
    (text?.text.includes("typekube-ignore:") ?? false) ||
    (isJsonObject(value) && annotationOf(value) !== undefined)
  );
}

/** Returns the exceptions of an object: comments above its keys, and its annotation. */
export function exceptionsOf({ text, value }: CheckItem, node: TextNode | undefined): Exception[] {
  const annotation = isJsonObject(value) ? annotationOf(value) : undefined;
  return [
    ...(annotation ?? "").split("\n").flatMap((line) => {
      const [, rule = "", reason = ""] = /^\s*(\S+?):?(?:\s+(.*?))?\s*$/.exec(line) ?? [];
      return rule === "" ? [] : [{ rule, reason }];
    }),
    ...(text === undefined || node === undefined ? [] : commentsIn(text.text, node)),
  ];
}

function annotationOf(value: Parameters<typeof metadataOf>[0]): string | undefined {
  const { annotations } = metadataOf(value);
  const text = isJsonObject(annotations) ? annotations[ignoreAnnotation] : undefined;
  return typeof text === "string" ? text : undefined;
}

function* commentsIn(text: string, node: TextNode): Generator<Exception> {
  for (const { index, 0: whole, 1: indent = "", 2: rule = "", 3: reason = "" } of text.matchAll(
    comment,
  )) {
    const at = index + indent.length;
    if (isInScalar(node, at)) {
      continue;
    }
    const next = nextKey(text, index + whole.length);
    const isAbove = next === firstKey(node);
    const span = isAbove ? undefined : spanOfKey(node, next);
    if (isAbove || span !== undefined) {
      yield { rule: rule.replace(/:$/, ""), reason, at, span };
    }
  }
}

/** Returns the offset of the first character that is neither blank, nor a comment, nor the dash of a list. */
function nextKey(text: string, from: number): number {
  const skipped = /^(?:\s|#[^\n]*(?:\n|$)|---(?=\s)|-(?=\s))*/.exec(text.slice(from));
  return from + (skipped?.[0].length ?? 0);
}

function firstKey(node: TextNode): number {
  if (node.form !== "mapping") {
    return node.start;
  }
  return Math.min(...[...node.entries.values()].map(({ keyStart }) => keyStart));
}

function isInScalar(node: TextNode, at: number): boolean {
  if (node.form === "scalar") {
    return node.isText && at >= node.start && at < node.end;
  }
  return node.form === "list"
    ? node.items.some((item) => isInScalar(item, at))
    : [...node.entries.values()].some(({ value }) => isInScalar(value, at));
}

function spanOfKey(
  node: TextNode,
  at: number,
): { readonly start: number; readonly end: number } | undefined {
  if (node.form === "list") {
    for (const item of node.items) {
      const isHere = item.start === at || (item.form === "mapping" && firstKey(item) === at);
      const found = isHere ? { start: at, end: Math.max(item.end, at + 1) } : spanOfKey(item, at);
      if (found !== undefined) {
        return found;
      }
    }
  } else if (node.form === "mapping") {
    for (const { keyStart, value } of node.entries.values()) {
      const isHere = keyStart === at;
      const found = isHere ? { start: at, end: Math.max(value.end, at + 1) } : spanOfKey(value, at);
      if (found !== undefined) {
        return found;
      }
    }
  }
  return undefined;
}
