import type { Encoding } from "typekube";

/**
 * Reads the variant of a TypeKube row: the encoding `json`, `cbor` or `auto`; `lean` drops managedFields; `shared`
 * stores equal parts once.
 */
export function readVariant(variant: string): {
  encoding: Encoding;
  managedFields: boolean;
  shareEqual: boolean;
} {
  return {
    encoding: /^(cbor|json)/.test(variant) ? (variant.split(" ", 1)[0] as Encoding) : "auto",
    managedFields: !variant.includes("lean"),
    shareEqual: variant.includes("shared"),
  };
}
