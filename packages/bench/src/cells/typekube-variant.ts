import type { Encoding } from "typekube";

/** What the variant of a TypeKube row says: `json`, `cbor` or `auto`, `lean` for without managedFields, `shared` for equal parts kept once. */
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
