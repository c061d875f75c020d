import { refused } from "../../templates/clause-rules.js";
import { goQuote } from "../../text/go-quote.js";
import { CelDouble } from "../../values/cel-double.js";
import { CelDuration } from "../../values/cel-duration.js";
import { CelFailure, isFailure } from "../../values/cel-failure.js";
import { CelList } from "../../values/cel-list.js";
import { CelMap } from "../../values/cel-map.js";
import { CelTimestamp } from "../../values/cel-timestamp.js";
import { CelType } from "../../values/cel-type.js";
import { CelUint } from "../../values/cel-uint.js";
import type { CelValue } from "../../values/cel-value.js";
import { compareText } from "../../values/code-points.js";
import { formatDouble } from "../../values/format-double.js";
import { formatDuration, formatTimestamp } from "../../values/format-time.js";
import { textOfBytes } from "../../values/text-of-bytes.js";
import { typeOf } from "../../values/type-of.js";
import { literalDouble } from "./format-double.js";

/** Formats a value as `%s` does. */
export function formatString(value: CelValue): string | CelFailure {
  if (typeof value === "string") {
    return value;
  }
  if (value instanceof CelDouble) {
    return formatDouble(value.value);
  }
  if (value instanceof CelTimestamp) {
    return formatTimestamp(value);
  }
  if (value instanceof CelDuration) {
    return formatDuration(value);
  }
  if (value instanceof CelList) {
    return formatList(value);
  }
  if (value instanceof CelMap) {
    return formatMap(value);
  }
  return plainText(value) ?? refused("s", typeOf(value).name);
}

/** Formats the values that look alike within lists and maps and outside of them. */
function plainText(value: CelValue): string | CelFailure | undefined {
  if (value instanceof Uint8Array) {
    const text = textOfBytes(value);
    return isFailure(text)
      ? new CelFailure(`could not convert argument ${goQuote(text.message)} to string`)
      : text;
  }
  if (value instanceof CelUint) {
    return value.value.toString();
  }
  if (value instanceof CelType) {
    return value.name;
  }
  const isPlain = value === null || typeof value !== "object";
  return isPlain ? String(value) : undefined;
}

/** Formats an element, a key or a value as a literal of the language, where it has one. */
function formatLiteral(value: CelValue): string | CelFailure {
  if (typeof value === "string") {
    return goQuote(value);
  }
  if (value instanceof Uint8Array) {
    const text = formatString(value);
    return isFailure(text) ? text : `b${goQuote(text)}`;
  }
  if (value instanceof CelDouble) {
    const text = literalDouble(value.value);
    return Number.isFinite(value.value) ? text : goQuote(text);
  }
  if (value instanceof CelTimestamp) {
    return `timestamp(${goQuote(formatTimestamp(value))})`;
  }
  if (value instanceof CelDuration) {
    return `duration(${goQuote(formatDuration(value))})`;
  }
  if (value instanceof CelList) {
    return formatList(value);
  }
  if (value instanceof CelMap) {
    return formatMap(value);
  }
  return plainText(value) ?? new CelFailure(`no formatting function for ${typeOf(value).name}`);
}

function formatList(list: CelList): string | CelFailure {
  const texts: string[] = [];
  for (const element of list) {
    const text = formatLiteral(element);
    if (isFailure(text)) {
      return text;
    }
    texts.push(text);
  }
  return `[${texts.join(", ")}]`;
}

/** The entries are sorted by the text of their keys. */
function formatMap(map: CelMap): string | CelFailure {
  const entries: { readonly key: string; readonly value: string }[] = [];
  for (const key of map.keys()) {
    const keyText = formatKey(key);
    const value = map.find(key);
    if (isFailure(keyText)) {
      return keyText;
    }
    if (value === undefined || isFailure(value)) {
      return new CelFailure(`could not find key: ${keyText}`);
    }
    const valueText = formatLiteral(value);
    if (isFailure(valueText)) {
      return valueText;
    }
    entries.push({ key: keyText, value: valueText });
  }
  entries.sort((a, b) => compareText(a.key, b.key));
  return `{${entries.map(({ key, value }) => `${key}:${value}`).join(", ")}}`;
}

function formatKey(key: CelValue): string | CelFailure {
  return typeof key === "object" && !(key instanceof CelUint)
    ? new CelFailure(`no formatting function for map key of type ${typeOf(key).name}`)
    : formatLiteral(key);
}
