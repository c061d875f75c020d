import { repairedText } from "../../bytes/invalid-utf8.js";
import { isInteger, resolvePlain, type Scalar } from "./scalars.js";
import { YamlProblem } from "./yaml-problem.js";

const standard = /^(?:!!|!<tag:yaml\.org,2002:)([a-z]+)>?$/;

/**
 * Returns the value of a scalar with a tag, such as `!!str 1`.
 *
 * @param tag - tag as written.
 * @throws {YamlProblem} when the text does not match the tag, and for tags without a type in JSON.
 */
export function resolveTagged(tag: string, text: string, offset: number): Scalar {
  const name = tag === "!" ? "str" : standard.exec(tag)?.[1];
  if (name === "str" || name === "timestamp" || (name === "merge" && text === "<<")) {
    return text;
  }
  if (name === "binary") {
    return binaryText(text, offset);
  }
  const isType = name === undefined ? undefined : types[name];
  if (isType === undefined) {
    throw unknownTag(offset);
  }
  const value = resolvePlain(text, offset);
  if (!isType(value, text)) {
    throw new YamlProblem("a value does not fit its tag", offset);
  }
  return value;
}

/**
 * Decodes base64 into text for JSON, in which each byte that is not UTF-8 is U+FFFD.
 *
 * @throws {YamlProblem} for text that Go's decoder rejects; the decoder skips only line breaks.
 */
function binaryText(text: string, offset: number): string {
  const base64 = text.replace(/[\n\r]/g, "");
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) {
    throw new YamlProblem("a !!binary value is not base64", offset);
  }
  const bytes = Buffer.from(base64, "base64");
  return repairedText(bytes, 0, bytes.length, bytes.toString("utf8"));
}

const types: Readonly<Record<string, ((value: Scalar, text: string) => boolean) | undefined>> = {
  bool: (value) => typeof value === "boolean",
  float: (value) => typeof value === "number" || typeof value === "bigint",
  int: (value, text) =>
    isInteger(text) &&
    (typeof value === "bigint"
      ? value >= -(2n ** 63n) && value < 2n ** 64n
      : typeof value === "number"),
  null: (value) => value === null,
};

/** Returns true for the tags with which `<<` merges; any other tag makes it a key. */
export function isMergeTag(tag: string): boolean {
  return tag === "!" || standard.exec(tag)?.[1] === "merge";
}

/**
 * Accepts the tags of a mapping or a sequence that state its actual type.
 *
 * @throws {YamlProblem} for any other tag.
 */
export function checkCollectionTag(tag: string, isMapping: boolean, offset: number): void {
  const name = standard.exec(tag)?.[1];
  const fits = isMapping ? name === "map" || name === "set" : name === "seq" || name === "omap";
  if (tag !== "" && tag !== "!" && !fits) {
    throw unknownTag(offset);
  }
}

function unknownTag(offset: number): YamlProblem {
  return new YamlProblem("a tag without an equivalent in JSON", offset);
}
