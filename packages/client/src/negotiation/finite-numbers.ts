import { KubeError } from "@typekube/core";

/**
 * Rejects numbers that JSON does not have. `JSON.stringify` turns NaN into null, and the server replaces null by its
 * default: NaN replicas become one replica. The other encodings reject such numbers themselves.
 *
 * @param text - the JSON of the value: if it contains no null, the value contains no such number.
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

/** Returns the path of the first number that is not finite; `undefined` when all are finite. */
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
