import { parseApiVersion } from "@typekube/core";

/** A parsed warning of a server. Programs use `type`; `text` is the server's own wording. */
export type ServerWarning =
  /** The kind is deprecated in this apiVersion since one release, and will be removed in another. */
  | {
      readonly type: "deprecated";
      readonly text: string;
      readonly apiVersion: string;
      readonly kind: string;
      /** A Kubernetes minor release: `1.33`. */
      readonly since: string;
      /** The first release that does not serve it; absent when no removal is planned. */
      readonly removed: string | undefined;
      readonly replacedBy: { readonly apiVersion: string; readonly kind: string } | undefined;
    }
  /** The object has an unknown or duplicate field; `field` is its path. */
  | {
      readonly type: "duplicateField" | "unknownField";
      readonly text: string;
      readonly field: string;
    }
  | { readonly type: "other"; readonly text: string };

const deprecated =
  /^(\S+) (\S+) is deprecated in v(\d+\.\d+)\+(?:, unavailable in v(\d+\.\d+)\+)?(?:; use (\S+) (\S+))?$/;

/**
 * Parses the text of a warning.
 *
 * @example
 * ```ts
 * await connect({
 *   defaults: {
 *     onWarning: (text) => {
 *       const warning = readWarning(text);
 *       if (warning.type === "deprecated") console.warn(warning.kind, "goes in", warning.removed);
 *     },
 *   },
 * });
 * ```
 */
export function readWarning(text: string): ServerWarning {
  const life = deprecated.exec(text);
  if (life && isApiVersion(life[1])) {
    const [, apiVersion = "", kind = "", since = "", removed, newVersion, newKind] = life;
    const replacedBy =
      newVersion === undefined || newKind === undefined
        ? undefined
        : { apiVersion: newVersion, kind: newKind };
    return { type: "deprecated", text, apiVersion, kind, since, removed, replacedBy };
  }
  const field = /^(unknown|duplicate) field "(.+)"$/.exec(text);
  if (field) {
    const type = field[1] === "unknown" ? "unknownField" : "duplicateField";
    return { type, text, field: field[2] ?? "" };
  }
  return { type: "other", text };
}

function isApiVersion(text = ""): boolean {
  try {
    return parseApiVersion(text).version !== "";
  } catch {
    return false;
  }
}
