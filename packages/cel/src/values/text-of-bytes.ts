import { CelFailure } from "./cel-failure.js";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Returns the text of bytes in UTF-8. */
export function textOfBytes(bytes: Uint8Array): string | CelFailure {
  try {
    return decoder.decode(bytes);
  } catch {
    return new CelFailure("invalid UTF-8 in bytes, cannot convert to string");
  }
}
