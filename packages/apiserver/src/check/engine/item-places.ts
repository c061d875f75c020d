import type { CheckItem } from "../items/check-item.js";
import type { CheckLocation } from "../model/finding.js";
import {
  findNode,
  findPlace,
  findTyped,
  type PlaceTarget,
  spanOf,
  type TextSpan,
} from "../text/find-place.js";
import { coveredSpans, maskedLine } from "../text/masked-line.js";
import { readTextNode } from "../text/read-text-node.js";
import { LineIndex } from "../text/source-document.js";
import type { TextEntry, TextNode } from "../text/text-node.js";
import { coverOf, isSecretKind, maskText, type Secrets } from "./secrets.js";

/** A location and its line. */
export interface Place {
  readonly location: CheckLocation;
  readonly excerpt?: string | undefined;
  /** Offset in the document; absent without a text. */
  readonly offset?: number | undefined;
}

/** Finds the positions of fields of one object. Reads the positions of its document on first use. */
export class ItemPlaces {
  readonly #item: CheckItem;
  readonly #secrets: Secrets;
  #document: TextNode | undefined;
  #root: TextNode | undefined;
  #isRead = false;
  #lines: LineIndex | undefined;
  #covered: readonly TextSpan[] | undefined;

  constructor(item: CheckItem, secrets: Secrets) {
    this.#item = item;
    this.#secrets = secrets;
  }

  /** Returns the node of the object in its text. */
  get node(): TextNode | undefined {
    if (!this.#isRead) {
      this.#isRead = true;
      const { text, path, value } = this.#item;
      // A document that could not be read has no positions.
      const root = text && value !== undefined ? readTextNode(text.text) : undefined;
      this.#document = root;
      this.#root = root && path !== "" ? nodeAt(root, path) : root;
    }
    return this.#root;
  }

  /** Returns the place of a field; of the object without a field. */
  ofField(field: string | undefined, target: PlaceTarget): Place {
    const { node } = this;
    return this.ofSpan(
      node === undefined || field === undefined
        ? this.#objectSpan()
        : findPlace(node, existingForm(node, field), target),
    );
  }

  /**
   * Returns the place of a value. Servers report a label or an annotation under the name of its map: then it is the entry
   * that has the value, or is named like it.
   */
  ofValue(field: string | undefined, value: string | undefined): Place {
    const { node } = this;
    const entries = node && field && value ? mappingAt(node, existingForm(node, field)) : undefined;
    for (const [key, entry] of entries ?? []) {
      if (entry.value.form === "scalar" && entry.value.text === value) {
        return this.ofSpan(spanOf(entry.value, entry, "value"));
      }
      if (key === value) {
        return this.ofSpan(spanOf(entry.value, entry, "key"));
      }
    }
    return this.ofField(field, "value");
  }

  /** Returns the place of the first value of a JSON type on a path without indices. */
  ofTyped(field: string, found: string): Place {
    const { node } = this;
    const span =
      node &&
      findTyped(
        node,
        field.split("."),
        (one) => jsonType(one) === found.replace(/^\w+ (?=\d)/, ""),
      );
    return span === undefined ? this.ofField(field, "value") : this.ofSpan(span);
  }

  /** Returns the place of the first value of a Secret's `data` that is not base64. */
  ofBase64(): Place {
    const { node } = this;
    for (const [, entry] of (node && mappingAt(node, "data")) ?? []) {
      const { value } = entry;
      if (value.form === "scalar" && !isBase64(value.text)) {
        return this.ofSpan(spanOf(value, entry, "value"));
      }
    }
    return this.ofField(undefined, "value");
  }

  /** Returns the place of a position in an expression, which starts with line 1 and column 0. */
  ofExpression(field: string | undefined, line: number, column: number): Place {
    const { node } = this;
    const text = this.#item.text?.text;
    if (node === undefined || field === undefined || text === undefined) {
      return this.ofField(field, "value");
    }
    const entry = scalarAt(node, existingForm(node, field));
    if (entry === undefined) {
      return this.ofField(field, "value");
    }
    return this.ofSpan(offsetInScalar(text, entry, line, column));
  }

  /** Returns the place of a range of the document. */
  ofSpan(span: TextSpan | undefined): Place {
    const { source, document, text } = this.#item;
    const where = { source, document, template: text?.template };
    if (text === undefined || span === undefined) {
      return { location: where };
    }
    this.#lines ??= new LineIndex(text);
    const start = this.#lines.at(span.start);
    const end = this.#lines.at(Math.max(span.end, span.start + 1));
    const location = {
      ...where,
      ...start,
      endLine: end.line,
      endColumn: end.column,
    };
    return { location, excerpt: this.#excerpt(span.start), offset: span.start };
  }

  #objectSpan(): TextSpan | undefined {
    const { node } = this;
    if (node === undefined) {
      return this.#item.text && { start: 0, end: 1 };
    }
    return node.form === "mapping" && node.entries.has("kind")
      ? findPlace(node, "kind", "value")
      : { start: node.start, end: node.start + 1 };
  }

  /** Returns the ranges that no excerpt may show, also those of other items: they may be on the same line. */
  #coveredSpans(): readonly TextSpan[] {
    const { redact } = this.#secrets;
    return this.#document === undefined
      ? []
      : [...itemNodes(this.#document, false)].flatMap(({ node, isSecret }) =>
          isSecret || redact.length > 0 ? coveredSpans(node, coverOf(isSecret, redact)) : [],
        );
  }

  #excerpt(offset: number): string | undefined {
    const { text } = this.#item;
    if (text === undefined || this.#lines === undefined) {
      return undefined;
    }
    const { line, column } = this.#lines.at(offset);
    const { node } = this;
    if (node === undefined && (this.#secrets.redact.length > 0 || /secret/i.test(text.text))) {
      return undefined;
    }
    this.#covered ??= this.#coveredSpans();
    const whole = this.#lines.textOf(line);
    const shown = maskedLine(whole, offset - column + 1, this.#covered, maskText);
    return shown.length > maxExcerpt ? undefined : shown;
  }
}

/** Longest line that is quoted. */
const maxExcerpt = 500;

/** Returns the nodes of a document and of all its items. Items of a list of Secrets need no kind. */
function* itemNodes(
  node: TextNode,
  isInSecrets: boolean,
): Generator<{ readonly node: TextNode; readonly isSecret: boolean }> {
  const isSecret = isInSecrets || isSecretKind(findKind(node));
  yield { node, isSecret };
  const items = node.form === "mapping" ? node.entries.get("items")?.value : undefined;
  for (const item of items?.form === "list" ? items.items : []) {
    yield* itemNodes(item, isSecret);
  }
}

/** Returns the node at a path of items. */
function nodeAt(root: TextNode, path: string): TextNode | undefined {
  let node: TextNode | undefined = root;
  for (const [, index = ""] of path.matchAll(/items\[(\d+)\]/g)) {
    const items: TextNode | undefined =
      node?.form === "mapping" ? node.entries.get("items")?.value : undefined;
    node = items?.form === "list" ? items.items[Number(index)] : undefined;
  }
  return node;
}

/** Servers report the schema of a definition with a single version under `spec.validation`. */
function existingForm(node: TextNode, field: string): string {
  const isOld =
    field.startsWith("spec.validation.") && findKind(node) === "CustomResourceDefinition";
  return isOld ? field.replace("spec.validation.", "spec.versions[0].schema.") : field;
}

function findKind(node: TextNode): string | undefined {
  const kind = node.form === "mapping" ? node.entries.get("kind")?.value : undefined;
  return kind?.form === "scalar" ? kind.text : undefined;
}

function scalarAt(node: TextNode, field: string): (TextNode & { form: "scalar" }) | undefined {
  const found = findNode(node, field);
  return found?.form === "scalar" ? found : undefined;
}

function mappingAt(node: TextNode, field: string): ReadonlyMap<string, TextEntry> | undefined {
  const found = findNode(node, field);
  return found?.form === "mapping" ? found.entries : undefined;
}

/** Returns true for a text that Go decodes; it ignores line breaks. */
function isBase64(text: string): boolean {
  const digits = text.replace(/[\r\n]/g, "");
  return digits.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(digits);
}

function offsetInScalar(
  text: string,
  scalar: TextNode & { form: "scalar" },
  line: number,
  column: number,
): TextSpan {
  let start = scalar.start + (scalar.isText && !scalar.isBlock ? 1 : 0);
  for (let left = line - 1; left > 0; left--) {
    const next = text.indexOf("\n", start);
    if (next < 0 || next >= scalar.end) {
      break;
    }
    start = next + 1;
  }
  if (scalar.isBlock || line > 1) {
    start += /^[ \t]*/.exec(text.slice(start, scalar.end))?.[0].length ?? 0;
  }
  const at = Math.min(start + column, Math.max(scalar.start, scalar.end - 1));
  return { start: at, end: at + 1 };
}

/** Returns the JSON type that Go's decoder reports for a value. */
function jsonType(node: TextNode): string {
  if (node.form !== "scalar") {
    return node.form === "list" ? "array" : "object";
  }
  if (node.isText) {
    return "string";
  }
  if (/^(?:true|false|yes|no|on|off|y|n)$/i.test(node.text)) {
    return "bool";
  }
  return /^[-+]?[\d.][\w.+-]*$/.test(node.text) ? "number" : "string";
}
