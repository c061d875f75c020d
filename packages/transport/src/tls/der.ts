/** Encodes the ASN.1 DER elements that certificates need. */
export const der = {
  sequence: (...parts: readonly Uint8Array[]): Buffer => element(0x30, ...parts),
  set: (...parts: readonly Uint8Array[]): Buffer => element(0x31, ...parts),
  boolean: (value: boolean): Buffer => element(0x01, Buffer.from([value ? 0xff : 0])),
  /** Encodes a positive integer given as big-endian bytes. */
  integer: (bytes: Uint8Array): Buffer =>
    element(0x02, (bytes[0] ?? 0) >= 0x80 ? Buffer.from([0]) : Buffer.alloc(0), bytes),
  /** Encodes a bit string whose last `unused` bits don't count. */
  bitString: (bytes: Uint8Array, unused = 0): Buffer => element(0x03, Buffer.from([unused]), bytes),
  octetString: (bytes: Uint8Array): Buffer => element(0x04, bytes),
  /** Encodes an OID such as `2.5.4.3`. */
  objectIdentifier: (text: string): Buffer => element(0x06, oid(text)),
  text: (value: string): Buffer => element(0x0c, Buffer.from(value, "utf8")),
  /** Encodes a time: a UTCTime before 2050, otherwise a GeneralizedTime. (RFC 5280, 4.1.2.5) */
  time: (date: Date): Buffer => {
    const digits = date.toISOString().replace(/\D/g, "").slice(0, 14);
    return date.getUTCFullYear() < 2050
      ? element(0x17, Buffer.from(`${digits.slice(2)}Z`, "latin1"))
      : element(0x18, Buffer.from(`${digits}Z`, "latin1"));
  },
  /** Encodes a context-specific tag; `constructed` when it contains elements. */
  tagged: (number: number, constructed: boolean, ...parts: readonly Uint8Array[]): Buffer =>
    element(0x80 | (constructed ? 0x20 : 0) | number, ...parts),
} as const;

function element(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.byteLength), content]);
}

function lengthOf(bytes: number): Buffer {
  if (bytes < 0x80) {
    return Buffer.from([bytes]);
  }
  const digits = Buffer.from(bytes.toString(16).padStart(bytes > 0xff ? 4 : 2, "0"), "hex");
  return Buffer.concat([Buffer.from([0x80 | digits.byteLength]), digits]);
}

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((arc) => {
    const groups = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) {
      groups.unshift((left & 0x7f) | 0x80);
    }
    return groups;
  });
  return Buffer.from(bytes);
}
