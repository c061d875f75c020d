import { boolType, type CelType, listType, nullType, stringType } from "@typekube/cel";
import { applyConfigurationType, jsonPatchType } from "./patch-types.js";

/** Types that the results of a policy's expressions may have, by where the expression stands. */
export const resultTypes: Readonly<
  Record<
    "ApplyConfiguration" | "JSONPatch" | "annotation" | "condition" | "message",
    readonly CelType[]
  >
> = {
  annotation: [stringType, nullType],
  ApplyConfiguration: [applyConfigurationType],
  condition: [boolType],
  JSONPatch: [listType(jsonPatchType)],
  message: [stringType],
};
