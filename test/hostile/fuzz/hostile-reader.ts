/** A reader of foreign bytes, and valid bytes to mutate. */
export interface HostileReader {
  readonly name: string;
  readonly seeds: readonly Uint8Array[];
  /**
   * Reads an input. A KubeError is allowed, any other error is a failure. `random` chooses free parameters, such as
   * chunk sizes.
   */
  readonly read: (bytes: Uint8Array, random: () => number) => unknown;
}

/** Returns a reader of text. */
export function textReader(
  name: string,
  seeds: readonly string[],
  read: (text: string, random: () => number) => unknown,
): HostileReader {
  return {
    name,
    seeds: seeds.map((text) => Buffer.from(text)),
    read: (bytes, random) => read(Buffer.from(bytes).toString("utf8"), random),
  };
}

/**
 * Returns the JSON object or array in a text, or `undefined` if the text is not one; JSON.parse itself is not under
 * test.
 */
export function parsedObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
