import { failure, type StatusError } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { type Hash, isBelow, objectHash } from "./object-hash.js";
import { type Expression, readExpression } from "./shard-expression.js";
import { NoExpression } from "./token-reader.js";

/** The shard of a collection that a request selects. */
export interface ShardSelector {
  /** Canonical text, as the server writes it in lists. */
  readonly text: string;
  matches(object: ApiObject): boolean;
}

interface Range {
  readonly field: string;
  readonly start: string;
  readonly end: string;
}

const fields = ["object.metadata.uid", "object.metadata.namespace"];
/** 2^64: the exclusive upper bound of hashes. */
const afterLast = "0x10000000000000000";

/**
 * Parses the parameter `shardSelector` (1.36, gate ShardedListAndWatch): `shardRange(FIELD, '0x…', '0x…')`, several
 * joined by `||`.
 *
 * @throws {StatusError} 500 for an invalid selector, like 1.37.1.
 */
export function readShardSelector(text: string): ShardSelector {
  const ranges = rangesIn(parse(text));
  const [first] = ranges;
  const other = ranges.find(({ field }) => field !== first?.field);
  if (first !== undefined && other !== undefined) {
    throw refused(
      `all shard ranges must use the same field, got ${JSON.stringify(first.field)} and ${JSON.stringify(other.field)}`,
    );
  }
  const bounds = ranges.map(({ start, end }) => [hashOf(start), hashOf(end)] as const);
  const byUid = first?.field === fields[0];
  return {
    text: ranges
      .map(({ field, start, end }) => `shardRange(${field}, '${start}', '${end}')`)
      .join(" || "),
    matches({ metadata }) {
      const hash = objectHash((byUid ? metadata.uid : metadata.namespace) ?? "");
      return bounds.some(([start, end]) => !isBelow(hash, start) && isBelow(hash, end));
    },
  };
}

function parse(text: string): Expression {
  try {
    return readExpression(text);
  } catch (error) {
    if (error instanceof NoExpression) {
      throw refused(`CEL parse error: Syntax error: ${error.message}`);
    }
    throw error;
  }
}

function rangesIn(expression: Expression): Range[] {
  if (expression.kind !== 1) {
    throw refused(
      `unexpected expression kind ${expression.kind}; expected shardRange() call or || operator`,
    );
  }
  const { name, args } = expression;
  if (name === "_||_") {
    return args.flatMap(rangesIn);
  }
  if (name !== "shardRange") {
    throw refused(
      `unsupported function ${JSON.stringify(name)}; only shardRange() and || are allowed`,
    );
  }
  const [field, start, end] = args;
  if (field === undefined || start === undefined || end === undefined || args.length !== 3) {
    throw refused(`shardRange() requires exactly 3 arguments, got ${args.length}`);
  }
  const range = { field: fieldOf(field), start: bound(start, "Start"), end: bound(end, "End") };
  if (!isBelow(hashOf(range.start), hashOf(range.end))) {
    throw refused(`shard range start ${range.start} must be less than end ${range.end}`);
  }
  return [range];
}

function fieldOf(expression: Expression): string {
  const path = pathOf(expression);
  if (path === undefined) {
    throw refused(
      `shardRange() first argument: expected field path (e.g. object.metadata.uid), got expression kind ${rootKind(expression)}`,
    );
  }
  if (!fields.includes(path)) {
    throw refused(
      `unsupported field path ${JSON.stringify(path)}; supported: ${fields.join(", ")}`,
    );
  }
  return path;
}

function pathOf(expression: Expression): string | undefined {
  if (expression.kind === 3) {
    return expression.name;
  }
  const before = expression.kind === 7 ? pathOf(expression.of) : undefined;
  return expression.kind === 7 && before !== undefined ? `${before}.${expression.name}` : undefined;
}

/** Returns the expression kind of a path's root. */
function rootKind(expression: Expression): number {
  return expression.kind === 7 ? rootKind(expression.of) : expression.kind;
}

function bound(expression: Expression, which: "End" | "Start"): string {
  const name = `hex${which}`;
  if (expression.kind !== 5) {
    throw refused(
      `${name} must be a string literal (e.g. '0xff'), got expression kind ${expression.kind}`,
    );
  }
  const { value, type } = expression;
  if (typeof value !== "string" || type !== "string") {
    throw refused(`${name} must be a string literal, got ${type}`);
  }
  const shown = JSON.stringify(value);
  if (!value.startsWith("0x")) {
    throw refused(`${name} must have '0x' prefix, got ${shown}`);
  }
  const digits = value.slice(2);
  if (digits === "") {
    throw refused(`${name}: hex value is required after '0x'`);
  }
  const wrong = [...digits].find((digit) => !/[0-9a-f]/.test(digit));
  if (wrong !== undefined) {
    throw refused(`${name}: invalid hex character ${JSON.stringify(wrong)} in ${shown}`);
  }
  if (digits.length === 17 && value !== afterLast) {
    throw refused(`${name}: 17-digit hex value must be '${afterLast}' (2^64), got ${shown}`);
  }
  if (digits.length !== 16 && digits.length !== 17) {
    const meant = digits.length < 16 ? ` (did you mean "0x${digits.padStart(16, "0")}"?)` : "";
    throw refused(`${name} must be a 0x-prefixed 16-digit hex value, got ${shown}${meant}`);
  }
  return value;
}

function hashOf(bound: string): Hash {
  const value = BigInt(bound);
  return [Number(value >> 32n), Number(value & 0xffff_ffffn)];
}

function refused(why: string): StatusError {
  return failure(500, undefined, `invalid shard selector: ${why}`);
}
