import { CelDouble } from "../values/cel-double.js";
import { isInt64, normalInt } from "../values/cel-int.js";
import { CelUint, maxUint64 } from "../values/cel-uint.js";
import type { Literal } from "./expression.js";
import type { Token } from "./read-tokens.js";
import { unquoteBytes, unquoteString } from "./unquote.js";

/** The value of a literal, or what is wrong with it. */
export type ParsedLiteral = { readonly value: Literal["value"] } | { readonly problem: string };

/** Returns the value of a number, string, bytes or constant token; `negative` is true behind a minus. */
export function parseLiteral(token: Token, negative: boolean): ParsedLiteral {
  const { kind, text } = token;
  switch (kind) {
    case "int": {
      const value = negative ? -BigInt(text) : BigInt(text);
      return isInt64(value) ? { value: normalInt(value) } : { problem: "invalid int literal" };
    }
    case "uint": {
      const value = BigInt(text.slice(0, -1));
      return value <= maxUint64
        ? { value: new CelUint(normalInt(value)) }
        : { problem: "invalid uint literal" };
    }
    case "double": {
      const value = Number(negative ? `-${text}` : text);
      return Number.isFinite(value)
        ? { value: new CelDouble(value) }
        : { problem: "invalid double literal" };
    }
    case "string":
      return unquoteString(text);
    case "bytes":
      return unquoteBytes(text.slice(1));
    default:
      return { value: text === "null" ? null : text === "true" };
  }
}
