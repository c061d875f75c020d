import { createHash } from "node:crypto";
import type { KubeObject } from "@typekube/api";

/** Maximum bytes of a path component: file systems allow 255, and the extension needs some. */
const maxPartBytes = 200;
/** Windows device names, with or without an extension. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/;

/**
 * Returns the path components for saving an object. Objects with different names have different paths, even on
 * case-insensitive file systems.
 */
export function savedPlace({ apiVersion = "", kind = "", metadata }: KubeObject): string[] {
  const { namespace = "_cluster", name = "" } = metadata ?? {};
  const [, group = ""] = apiVersion.split("/").reverse();
  const type = group === "" ? kind : `${kind}.${group}`;
  return [part(namespace), part(type.toLowerCase()), `${part(name)}.yaml`];
}

/** Escapes all bytes except lower-case letters, digits and `_.-`; a name that is too long ends with its digest. */
function part(name: string): string {
  const escaped = [...Buffer.from(name)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[a-z0-9_.-]/.test(character) ? character : asHex(byte);
    })
    .join("")
    .replace(device, (found) => asHex(found.charCodeAt(0)) + found.slice(1));
  if (escaped.length <= maxPartBytes) {
    return escaped;
  }
  const digest = createHash("sha256").update(name).digest("hex");
  return `${escaped.slice(0, maxPartBytes - digest.length - 1)}-${digest}`;
}

function asHex(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}
