import { KubeError } from "@typekube/core";

/** Headers of the connection, which the client sets itself; libraries send some of them out of habit. */
const ofConnection =
  /^(?:accept-encoding|connection|content-length|expect|host|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|sec-websocket-.*)$/;

/** Headers by which the API server knows who calls. It would not pass them on. */
const ofIdentity = /^(?:authorization|proxy-authorization|impersonate-.*)$/;

/**
 * Returns the headers of a request to a backend, in lower case, without those of the connection.
 *
 * @throws {KubeError} `InvalidArgument` for a header with credentials, or an invalid one.
 */
export function backendHeaders(
  headers: Iterable<readonly [string, string]>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    if (ofIdentity.test(key)) {
      throw new KubeError("InvalidArgument", `headers: ${key} is read by the API server`, {
        hint: "the backend never gets it; pass the backend's credentials in another header",
      });
    }
    if (/[\0\r\n]/.test(value) || !/^[!#$%&'*+.^_`|~\w-]+$/.test(key)) {
      throw new KubeError(
        "InvalidArgument",
        `headers: ${JSON.stringify(key)} has an invalid name or value`,
      );
    }
    if (!ofConnection.test(key)) {
      kept[key] = value;
    }
  }
  return kept;
}
