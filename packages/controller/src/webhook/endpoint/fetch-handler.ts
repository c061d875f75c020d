import { KubeError } from "@typekube/core";
import { concatBytes, mediaTypes } from "@typekube/core/internal";
import type { WebhookDispatcher } from "./webhook.js";

/** Returns a function that responds to requests of the fetch API. */
export function fetchHandler(
  dispatcher: WebhookDispatcher,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const { method, url, headers, signal } = request;
    const { pathname, search } = new URL(url);
    const { status, body } = await dispatcher.respond(
      {
        method,
        url: pathname + search,
        contentType: headers.get("content-type") ?? undefined,
        traceparent: headers.get("traceparent") ?? undefined,
      },
      (maxBytes) => bodyOf(request, maxBytes),
      signal,
    );
    return new Response(body, { status, headers: { "content-type": mediaTypes.json } });
  };
}

async function bodyOf({ body }: Request, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > maxBytes) {
      throw tooLarge(maxBytes);
    }
    chunks.push(chunk);
  }
  return concatBytes(chunks);
}

/** Returns the error for a body that is too long. */
export function tooLarge(maxBytes: number): KubeError {
  return new KubeError("RequestEntityTooLarge", `the body has more than ${maxBytes} bytes`);
}
