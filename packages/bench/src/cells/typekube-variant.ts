import type { Encoding } from "typekube";

/** What the variant of a TypeKube row says: `json`, `auto`, and `lean` for without managedFields. */
export function readVariant(variant: string): { encoding: Encoding; managedFields: boolean } {
  return {
    encoding: variant.startsWith("json") ? "json" : "auto",
    managedFields: !variant.includes("lean"),
  };
}
