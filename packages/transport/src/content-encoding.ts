import { type HttpResponse, KubeError, type KubeErrorRequest } from "@typekube/core";
import { gunzip } from "./gunzip.js";

/**
 * What we ask for. The API server compares the token exactly: a `;q=` behind it would turn compression off.
 */
export const acceptEncoding = "gzip";

/**
 * Removes the content-encoding of a response, by its header and whatever was asked.
 *
 * @throws {KubeError} `Decode` for an encoding that we did not ask for.
 */
export async function decodeContent(
  response: HttpResponse,
  maxBytes: number,
  request: KubeErrorRequest,
): Promise<HttpResponse> {
  const encoding = response.headers["content-encoding"]?.trim().toLowerCase() ?? "";
  if (encoding === "" || encoding === "identity") {
    return response;
  }
  if (encoding !== "gzip" && encoding !== "x-gzip") {
    await response.body[Symbol.asyncIterator]().return?.();
    throw new KubeError("Decode", `the server sent an encoding nobody asked for: ${encoding}`, {
      request,
    });
  }
  // Both describe the bytes on the wire, not those that come out.
  const { "content-encoding": _encoding, "content-length": _length, ...headers } = response.headers;
  return { status: response.status, headers, body: gunzip(response.body, maxBytes) };
}
