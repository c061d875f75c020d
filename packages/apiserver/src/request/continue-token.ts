import { badRequest } from "../errors/status-errors.js";

/** The position of the next page. */
export interface ContinueToken {
  /** Revision that all pages show; `undefined` for the current state. */
  readonly revision: bigint | undefined;
  /** First key that has not been returned yet, relative to the prefix of the list. */
  readonly start: string;
}

const version = "meta.k8s.io/v1";

/** Encodes a token like real servers; it is opaque to clients. */
export function formatContinueToken({ revision, start }: ContinueToken): string {
  // Not JSON.stringify: the revision may be too large for a number.
  const json = `{"v":"${version}","rv":${revision ?? -1n},"start":${JSON.stringify(start)}}`;
  return Buffer.from(json, "utf8").toString("base64url");
}

/** Decodes a token; rejects anything that no server wrote with 400. */
export function parseContinueToken(token: string): ContinueToken {
  if (!/^[A-Za-z0-9_-]*$/.test(token)) {
    const at = token.search(/[^A-Za-z0-9_-]/);
    throw invalidToken(`illegal base64 data at input byte ${at}`);
  }
  const bytes = Buffer.from(token, "base64url");
  const text = bytes.toString("utf8");
  let decoded: { v?: unknown; start?: unknown };
  try {
    decoded = JSON.parse(text);
  } catch {
    throw invalidToken(unreadable(bytes[0]));
  }
  if (typeof decoded !== "object" || decoded === null || Array.isArray(decoded)) {
    const found = Array.isArray(decoded) ? "array" : jsonType(decoded);
    throw invalidToken(
      `json: cannot unmarshal ${found} into Go value of type storage.continueToken`,
    );
  }
  if (decoded.v !== version) {
    throw invalidToken(`server does not recognize this encoded version ${String(decoded.v ?? "")}`);
  }
  const revision = /"rv":(-?\d+)/.exec(text)?.[1] ?? "0";
  if (revision === "0") {
    throw invalidToken(`incorrect encoded start resourceVersion (version ${version})`);
  }
  if (typeof decoded.start !== "string" || decoded.start === "") {
    throw invalidToken(`encoded start key empty (version ${version})`);
  }
  const start = decoded.start.replace(/^\//, "");
  // The start key is appended to the prefix of the list; it must not lead outside of it.
  if (start.split("/").some((segment) => segment === ".." || segment === "." || segment === "")) {
    throw badRequest(`invalid continue token: continue key is not valid: ${decoded.start}`);
  }
  return { revision: revision.startsWith("-") ? undefined : BigInt(revision), start };
}

function invalidToken(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}

/**
 * Returns Go's message for unreadable JSON: it names a character that can't begin a value; otherwise the input ended
 * unexpectedly.
 */
function unreadable(first: number | undefined): string {
  return first === undefined || '{["-0123456789tfn'.includes(String.fromCharCode(first))
    ? "unexpected end of JSON input"
    : `invalid character ${goCharacter(first)} looking for beginning of value`;
}

/** Quotes a byte like Go: as the character with that code. */
function goCharacter(byte: number): string {
  const hex = byte.toString(16);
  if (byte < 0x20 || byte === 0x7f) {
    return `'\\x${hex.padStart(2, "0")}'`;
  }
  return (byte > 0x7f && byte <= 0xa0) || byte === 0xad
    ? `'\\u${hex.padStart(4, "0")}'`
    : `'${String.fromCharCode(byte)}'`;
}

function jsonType(value: unknown): string {
  return typeof value === "boolean" ? "bool" : typeof value;
}
