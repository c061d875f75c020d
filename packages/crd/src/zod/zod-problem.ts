import { isJsonObject } from "@typekube/core/internal/json";

/** Returns why a value is no schema of zod 4, with the way out; `undefined` if it is one. */
export function zodProblem(
  schema: unknown,
): { readonly problem: string; readonly hint: string } | undefined {
  const raw =
    'use "zod" from version 4 on, or schema: { ... } with the JSON schema of the whole object';
  if (!isJsonObject(schema)) {
    return { problem: "must be a zod schema", hint: "for example z.object({ size: z.int() })" };
  }
  if (isJsonObject(schema["_zod"])) {
    return undefined;
  }
  if (isJsonObject(schema["_def"])) {
    return { problem: "is a schema of zod 3", hint: raw };
  }
  const standard = schema["~standard"];
  if (isJsonObject(standard)) {
    return { problem: `is a schema of ${String(standard["vendor"])}, not of zod`, hint: raw };
  }
  return { problem: "must be a zod schema", hint: raw };
}
