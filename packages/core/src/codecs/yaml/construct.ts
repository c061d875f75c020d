import type { AliasEvent, Event, MappingEvent, ScalarEvent, SequenceEvent } from "js-yaml";
import { setOwn } from "../../objects/own-property.js";
import { type AliasLimits, Anchors, type Node } from "./anchors.js";
import type { DuplicateKey } from "./duplicate-key.js";
import type { Yaml } from "./js-yaml.js";
import { copyOf, type Mapping, merge } from "./mapping.js";
import { scalarText } from "./scalar-text.js";
import { keyNotInJson, resolveKey, resolvePlain } from "./scalars.js";
import { checkCollectionTag, isMergeTag, resolveTagged } from "./tags.js";
import { YamlProblem } from "./yaml-problem.js";

/** Limits of one document. */
export interface ConstructLimits extends AliasLimits {
  /** Depth to which values may nest. */
  readonly maxDepth: number;
}

/** A mapping or a sequence whose end was not reached yet. */
interface Frame {
  readonly anchor: string;
  readonly value: unknown[] | Mapping;
  size: number;
  height: number;
  /** Key that waits for its value. */
  key: { readonly name: string; readonly isMerge: boolean; readonly offset: number } | undefined;
  /** Keys that `<<` merged in: only these may be set again. */
  merged: Set<string> | undefined;
}

/** Bytes that the smallest value takes in addition to its text. */
const nodeBytes = 16;

/**
 * Builds the values of consecutive documents from the events of js-yaml's parser, as an API server and kubectl read
 * them: with go-yaml 2, then converted to JSON. Integers beyond 2^53 become `bigint`; every key becomes an own
 * property.
 *
 * The value of an alias is copied, as in Go, so that no two places of an object share memory.
 */
export class Construction {
  readonly #yaml: Yaml;
  readonly #source: string;
  readonly #limits: ConstructLimits;
  readonly #onDuplicateKey: DuplicateKey | undefined;
  readonly #documents: unknown[] = [];
  readonly #frames: Frame[] = [];
  #root: unknown;
  #anchors: Anchors;
  /** Position of the last element that has one. Empty values have no position. */
  #offset = 0;

  /**
   * @param source - text that the events refer to.
   * @param onDuplicateKey - without it, a duplicate key is a problem.
   */
  constructor(
    yaml: Yaml,
    source: string,
    limits: ConstructLimits,
    onDuplicateKey: DuplicateKey | undefined,
  ) {
    this.#onDuplicateKey = onDuplicateKey;
    this.#yaml = yaml;
    this.#source = source;
    this.#limits = limits;
    this.#anchors = new Anchors(limits);
  }

  /**
   * Returns the documents of a text.
   *
   * @throws {YamlProblem}
   */
  run(events: readonly Event[]): unknown[] {
    const { EVENT_ID } = this.#yaml;
    for (const event of events) {
      switch (event.type) {
        case EVENT_ID.DOCUMENT:
          this.#root = undefined;
          this.#anchors = new Anchors(this.#limits);
          break;
        case EVENT_ID.SEQUENCE:
          this.#open(event, []);
          break;
        case EVENT_ID.MAPPING:
          this.#open(event, {});
          break;
        case EVENT_ID.SCALAR:
          this.#scalar(event);
          break;
        case EVENT_ID.ALIAS:
          this.#alias(event);
          break;
        case EVENT_ID.POP:
          this.#close();
          break;
        default:
          event satisfies never;
      }
    }
    return this.#documents;
  }

  #open(event: MappingEvent | SequenceEvent, value: unknown[] | Mapping): void {
    this.#offset = event.start;
    checkCollectionTag(this.#tag(event), !Array.isArray(value), event.start);
    const anchor = this.#source.slice(event.anchorStart, event.anchorEnd);
    this.#anchors.begin(anchor);
    this.#frames.push({
      anchor,
      value,
      size: nodeBytes,
      height: 1,
      key: undefined,
      merged: undefined,
    });
    this.#checkDepth(0);
  }

  #close(): void {
    const frame = this.#frames.pop();
    if (frame === undefined) {
      this.#documents.push(this.#root);
      return;
    }
    this.#anchors.set(frame.anchor, frame);
    this.#add(frame);
  }

  #scalar(event: ScalarEvent): void {
    const start = event.tagStart >= 0 ? event.tagStart : event.valueStart;
    if (start >= 0) {
      this.#offset = start;
    }
    const offset = this.#offset;
    const text = scalarText(this.#yaml, this.#source, event);
    const tag = this.#tag(event);
    const isPlain = event.style === this.#yaml.SCALAR_STYLE.PLAIN;
    const size = nodeBytes + text.length;
    const frame = this.#mappingAtKey();
    const special = frame && tag === "" && isPlain ? keyNotInJson(text) : undefined;
    const value =
      special ??
      (tag !== "" ? resolveTagged(tag, text, offset) : isPlain ? resolvePlain(text, offset) : text);
    const anchor = this.#source.slice(event.anchorStart, event.anchorEnd);
    this.#anchors.begin(anchor);
    this.#anchors.set(anchor, { value, size, height: 0 });
    if (frame === undefined) {
      this.#add({ value, size, height: 0 });
      return;
    }
    const isMerge = text === "<<" && (tag === "" ? isPlain : isMergeTag(tag));
    const name = special ?? (tag === "" && isPlain ? resolveKey(text, offset) : nameOf(value));
    this.#setKey(frame, name, isMerge, size);
  }

  #alias({ anchorStart, anchorEnd }: AliasEvent): void {
    this.#offset = anchorStart - 1;
    const node = this.#anchors.resolve(this.#source.slice(anchorStart, anchorEnd), this.#offset);
    this.#checkDepth(node.height);
    const frame = this.#mappingAtKey();
    if (frame === undefined) {
      this.#add({ ...node, value: copyOf(node.value) });
    } else {
      this.#setKey(frame, nameOf(node.value), false, node.size);
    }
  }

  /** Returns the mapping that expects a key next; `undefined` when a value is next. */
  #mappingAtKey(): Frame | undefined {
    const frame = this.#frames.at(-1);
    return frame === undefined || Array.isArray(frame.value) || frame.key !== undefined
      ? undefined
      : frame;
  }

  #setKey(frame: Frame, name: string | undefined, isMerge: boolean, size: number): void {
    if (name === undefined) {
      throw this.#problem("a key is neither a string nor a number");
    }
    frame.key = { name, isMerge, offset: this.#offset };
    frame.size += size;
  }

  /** Adds a value to the collection or document that holds it. */
  #add({ value, size, height }: Node): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) {
      this.#root = value;
      return;
    }
    frame.size += size;
    frame.height = Math.max(frame.height, height + 1);
    if (Array.isArray(frame.value)) {
      frame.value.push(value);
      return;
    }
    const { key } = frame;
    if (key === undefined) {
      throw this.#problem("a key is neither a string nor a number");
    }
    frame.key = undefined;
    if (key.isMerge) {
      frame.merged ??= new Set();
      for (const name of merge(frame.value, value, key.offset)) {
        frame.merged.add(name);
      }
      return;
    }
    if (Object.hasOwn(frame.value, key.name) && frame.merged?.delete(key.name) !== true) {
      // Servers let the last value win, or reject the body under strict field validation.
      if (this.#onDuplicateKey === undefined) {
        throw new YamlProblem("a mapping has a duplicate key", key.offset);
      }
      this.#onDuplicateKey(key.name, key.offset);
    }
    setOwn(frame.value, key.name, value);
  }

  #checkDepth(height: number): void {
    const { maxDepth } = this.#limits;
    if (this.#frames.length + height > maxDepth) {
      throw new YamlProblem(`nests deeper than maxDepth (${maxDepth})`, this.#offset, "maxDepth");
    }
  }

  #tag({ tagStart, tagEnd }: MappingEvent | ScalarEvent | SequenceEvent): string {
    return tagStart < 0 ? "" : this.#source.slice(tagStart, tagEnd);
  }

  #problem(reason: string): YamlProblem {
    return new YamlProblem(reason, this.#offset);
  }
}

/** Returns the name that a key has in JSON. */
function nameOf(key: unknown): string | undefined {
  return key === null || typeof key === "object" ? undefined : String(key);
}
