import { jsonEqual } from "@typekube/core/internal/json";

/**
 * Returns whether a value equals a value of an enum after a conversion to the latter's Go type, as a server compares: a
 * number loses its fraction, and a whole number becomes the character with that code. (kube-openapi
 * `basicCommonValidator`)
 */
export function matchesEnum(value: unknown, member: unknown): boolean {
  if (typeof value === "number" && isWhole(member)) {
    return BigInt(Math.trunc(value)) === BigInt(member);
  }
  return isWhole(value) && typeof member === "string"
    ? characterOf(value) === member
    : jsonEqual(member, value);
}

function isWhole(value: unknown): value is bigint | number {
  return typeof value === "bigint" || Number.isInteger(value);
}

function characterOf(code: bigint | number): string {
  const isCharacter = code >= 0 && code <= 0x10_ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(Number(code)) : "\ufffd";
}
