import { KubeError } from "@typekube/core";

/**
 * Fails for a number that JSON does not have. `JSON.stringify` makes null of it, and the server its default of that: one
 * replica for NaN replicas. The other encodings refuse such a number by themselves.
 *
 * @param text - the JSON that was made of the value: without a null in it, there was no such number.
 * @throws {KubeError} `InvalidArgument` with the path of the number.
 */
export function assertFiniteNumbers(value: unknown, text: string | Uint8Array): void {
  const mayHoldOne =
    typeof text === "string"
      ? text.includes("null")
      : Buffer.from(text.buffer, text.byteOffset, text.byteLength).includes("null");
  const path = mayHoldOne ? pathOfOther(value) : undefined;
  if (path !== undefined) {
    throw new KubeError(
      "InvalidArgument",
      `${path.join(".") || "the value"} is NaN or infinite, which JSON cannot express`,
      {
        hint: "NaN or Infinity usually comes from arithmetic on undefined",
      },
    );
  }
}

/** Where a number is that is not finite; `undefined` when there is none. */
function pathOfOther(value: unknown): string[] | undefined {
  if (typeof value === "number") {
    return Number.isFinite(value) ? undefined : [];
  }
  if (typeof value !== "object" || value === null || "toJSON" in value) {
    return undefined;
  }
  for (const [name, field] of Object.entries(value)) {
    const path = pathOfOther(field);
    if (path !== undefined) {
      return [name, ...path];
    }
  }
  return undefined;
}
