import type { CelLibrary } from "../../functions/library.js";
import { overload } from "../../functions/overload.js";
import { readingAllCosts } from "../../functions/reading-costs.js";
import { stringType } from "../../values/cel-type.js";

/** Escapes a key for the path of a JSON Patch operation (RFC 6901). */
function escapeKey(key: string): string {
  return key.replace(/[~/]/g, (character) => (character === "~" ? "~0" : "~1"));
}

/** `jsonpatch.escapeKey`, in mutating admission policies only. */
export const jsonpatchLibrary: CelLibrary = {
  name: "kubernetes.jsonpatch",
  functions: [
    {
      name: "jsonpatch.escapeKey",
      overloads: [
        overload(
          "string_jsonpatch_escapeKey_string",
          [stringType],
          stringType,
          escapeKey,
          readingAllCosts(),
        ),
      ],
    },
  ],
};
