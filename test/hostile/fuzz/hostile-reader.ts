/** A reader of bytes that come from somebody else, and good bytes to begin with. */
export interface HostileReader {
  readonly name: string;
  readonly seeds: readonly Uint8Array[];
  /** Reads an input. May throw a KubeError, and anything else is a failure. `random` chooses what is left open, such as sizes of chunks. */
  readonly read: (bytes: Uint8Array, random: () => number) => unknown;
}

/** A reader of texts. */
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

/** The object that a text is as JSON, or nothing where it is none: JSON.parse is not ours. */
export function parsedObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
