import { badArchive } from "./tar-error.js";

/**
 * Reads a number of a header: octal digits, or base 256 with the first bit set. (GNU tar, "Basic Tar Format")
 *
 * @param what - name of the field, for the error.
 * @throws {KubeError} `Decode` for other characters, or a number beyond 2^53.
 */
export function readNumber(field: Uint8Array, what: string): number {
  const first = field[0] ?? 0;
  const value = first >= 0x80 ? readBase256(field) : readOctal(field);
  if (!Number.isSafeInteger(value)) {
    throw badArchive(`${what} is not a number`);
  }
  return value;
}

function readOctal(field: Uint8Array): number {
  const text = Buffer.from(field).toString("latin1");
  const [, digits] = /^ *([0-7]*)[ \0]*$/.exec(text) ?? [];
  return digits === undefined ? Number.NaN : Number.parseInt(digits || "0", 8);
}

/** Two's complement: the second bit is the sign, the first only marks the form. */
function readBase256(field: Uint8Array): number {
  const first = field[0] ?? 0;
  let value = (first & 0x40) === 0 ? first & 0x3f : (first & 0x3f) - 0x40;
  for (const byte of field.subarray(1)) {
    value = value * 256 + byte;
    if (!Number.isSafeInteger(value)) {
      return Number.NaN;
    }
  }
  return value;
}

/** Writes a number of at least 0 into a field: octal digits and a NUL, or base 256 where they don't fit. */
export function writeNumber(field: Uint8Array, value: number): void {
  const digits = value.toString(8);
  if (digits.length < field.byteLength) {
    Buffer.from(`${digits.padStart(field.byteLength - 1, "0")}\0`, "latin1").copy(field);
    return;
  }
  let rest = value;
  for (let at = field.byteLength - 1; at > 0; at--) {
    field[at] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  field[0] = 0x80;
}
