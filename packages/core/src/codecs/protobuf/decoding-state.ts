import { tooDeep } from "../../bytes/bytes.js";
import { defaultLimits, type Limits } from "../../options/limits.js";
import type { DecodeOptions } from "../codec.js";
import type { FieldType, MessageType } from "./message-type.js";

// State of the decoding in progress: docs/wire.md, "Second results". Closures per decoder measured half the speed.

/** Nesting depth of the message that is being read; 0 for the outermost. */
export let depth = 0;
export let limits: Partial<Limits> = {};
/** One object: decoding begins for each event of a watch. */
const noLimits: Partial<Limits> = {};
/** `true` when equal messages become one object. */
export let shareEqual = false;
let maxDepth = defaultLimits.maxDepth;
/** Depth of the metadata whose managedFields are dropped; -1 when they are kept. */
let managedFieldsDepth = -1;

/** Begins to decode a message: nothing remains of the one before, which may have failed. */
export function beginDecoding(type: MessageType, options: DecodeOptions): void {
  depth = 0;
  limits = options.limits ?? noLimits;
  maxDepth = limits.maxDepth ?? defaultLimits.maxDepth;
  managedFieldsDepth = (options.managedFields ?? true) ? -1 : type.isList ? 2 : 1;
  shareEqual = options.shareEqual ?? false;
}

/**
 * Enters a message within the current one.
 *
 * @throws {KubeError} `TooLarge` beyond the limit `maxDepth`.
 */
export function enter(): void {
  if (++depth > maxDepth) {
    throw tooDeep("a protobuf message", maxDepth);
  }
}

/** Leaves the message that was entered last. */
export function leave(): void {
  depth--;
}

/** Returns whether a field of the current message is dropped: the managedFields of an object. */
export function isDropped(field: FieldType): boolean {
  return field.isManagedFields && depth === managedFieldsDepth;
}

/** Returns whether managedFields are dropped inside of a message: with them, the same bytes give another object. */
export function mayLackManagedFields(type: MessageType): boolean {
  return type.holdsManagedFields && depth < managedFieldsDepth;
}
