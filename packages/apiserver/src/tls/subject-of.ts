import { certificateIds } from "@typekube/transport/internal";

/** The fields of a certificate's subject that identify a user. */
export interface ReadSubject {
  readonly commonName: string | undefined;
  readonly organizations: readonly string[];
  /** All UIDs of the certificate; servers accept only one. `undefined` for a UID that is not text. */
  readonly uids: readonly (string | undefined)[];
}

interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
}

/** Text encodings of certificates by ASN.1 tag. */
const textEncodings: Readonly<Record<number, string>> = {
  12: "utf-8",
  18: "latin1",
  19: "latin1",
  20: "latin1",
  22: "latin1",
  30: "utf-16be",
};

/**
 * Reads the subject of a DER certificate. Node exposes subjects only as text, with escapes in names that contain a
 * comma or a line end. Of several common names the last counts, as in Go.
 *
 * @throws {RangeError} for bytes that are not a certificate.
 */
export function subjectOf(certificate: Uint8Array): ReadSubject {
  const [whole] = elements(certificate);
  const [signed] = elements(whole?.content ?? certificate);
  const parts = elements(signed?.content ?? certificate);
  // Version (tagged, optional), serial number, algorithm, issuer, validity, subject.
  const subject = parts[parts[0]?.tag === 0xa0 ? 5 : 4];
  if (subject?.tag !== 0x30) {
    throw new RangeError("the certificate has no subject");
  }
  const attributes = elements(subject.content)
    .flatMap((set) => elements(set.content))
    .map((pair) => elements(pair.content));
  const valuesOf = (id: string) =>
    attributes.filter(([type]) => type && oidText(type.content) === id).map(([, value]) => value);
  const textsOf = (id: string) => valuesOf(id).map(textOf);
  return {
    commonName: textsOf(certificateIds.commonName).at(-1),
    organizations: textsOf(certificateIds.organization).filter((text) => text !== undefined),
    uids: textsOf(certificateIds.userUid),
  };
}

function elements(bytes: Uint8Array): Element[] {
  const found: Element[] = [];
  for (let at = 0; at < bytes.byteLength; ) {
    const tag = byteAt(bytes, at);
    const first = byteAt(bytes, at + 1);
    // A length of more than four bytes exceeds anything that TLS transports.
    const digits = first < 0x80 ? 0 : first & 0x7f;
    if (digits > 4 || first === 0x80) {
      throw new RangeError("invalid DER length");
    }
    let length = digits === 0 ? first : 0;
    for (let i = 0; i < digits; i++) {
      length = length * 256 + byteAt(bytes, at + 2 + i);
    }
    const from = at + 2 + digits;
    if (from + length > bytes.byteLength) {
      throw new RangeError("a DER element is longer than its parent");
    }
    found.push({ tag, content: bytes.subarray(from, from + length) });
    at = from + length;
  }
  return found;
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) {
    throw new RangeError("a DER element is truncated");
  }
  return byte;
}

function textOf(value: Element | undefined): string | undefined {
  const encoding = textEncodings[value?.tag ?? -1];
  return encoding && new TextDecoder(encoding).decode(value?.content);
}

function oidText(bytes: Uint8Array): string {
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of bytes) {
    arc = arc * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      arcs.push(arc);
      arc = 0;
    }
  }
  const [first = 0, ...rest] = arcs;
  const root = Math.min(2, Math.floor(first / 40));
  return [root, first - root * 40, ...rest].join(".");
}
