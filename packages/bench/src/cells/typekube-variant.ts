import type { Encoding } from "typekube";

/** What the variant of a TypeKube row says: `json`, `cbor` or `auto`, and `lean` for without managedFields. */
export function readVariant(variant: string): { encoding: Encoding; managedFields: boolean } {
  return {
    encoding: /^(cbor|json)/.test(variant) ? (variant.split(" ", 1)[0] as Encoding) : "auto",
    managedFields: !variant.includes("lean"),
  };
}
