import { badRequest } from "../errors/status-errors.js";

/** Name of a backend in a path: `name`, `name:port` or `scheme:name:port`. */
export interface BackendName {
  readonly scheme: "http" | "https";
  readonly name: string;
  /** Number or name; empty when the path has none. */
  readonly port: string;
}

/**
 * Splits a name. (apimachinery `SplitSchemeNamePort`)
 *
 * @param what - `pod`, `service` or `node`.
 * @throws {StatusError} 400 for another number of parts, an unknown scheme, or an empty name.
 */
export function readBackendName(id: string, what: string): BackendName {
  const parts = id.split(":");
  const [scheme = "", name = "", port = ""] =
    parts.length === 3 ? parts : parts.length <= 2 ? ["", ...parts] : [];
  if (name === "" || !["", "http", "https"].includes(scheme)) {
    throw badRequest(`invalid ${what} request ${JSON.stringify(id)}`);
  }
  return { scheme: scheme === "https" ? "https" : "http", name, port };
}
