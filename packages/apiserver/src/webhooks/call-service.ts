import { codecs } from "@typekube/core/internal";
import type { JsonObject } from "../objects/json-value.js";
import { responseError } from "./response-error.js";
import type { FetchWebhook, Review, ReviewFunction, ServiceWebhook } from "./service-webhook.js";

/** A call of a webhook in process. */
export interface InProcessCall {
  /** URL of the Service with the timeout in its query. */
  readonly url: string;
  readonly review: JsonObject;
  /** Aborted when the server stops waiting. */
  readonly signal: AbortSignal;
}

/**
 * Calls a webhook in process. The review is copied on both ways, as if it was sent.
 *
 * @throws {Error} with the message of a real server whose webhook fails in the same way.
 */
export async function callService(
  webhook: ServiceWebhook,
  { url, review, signal }: InProcessCall,
): Promise<unknown> {
  const sent = { url, body: await codecs.json.encode(review), signal };
  return typeof webhook === "function" ? callFunction(webhook, sent) : callFetch(webhook, sent);
}

interface Sent {
  readonly url: string;
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
}

async function callFunction(review: ReviewFunction, { url, body, signal }: Sent): Promise<unknown> {
  const copy = (await codecs.json.decode(body)) as Review;
  const { pathname: path } = new URL(url);
  let reply: unknown;
  try {
    reply = await review(copy, { path, signal });
  } catch (error) {
    throw responseError(500, error instanceof Error ? error.message : String(error), "text/plain");
  }
  return codecs.json.decode(await codecs.json.encode(reply));
}

async function callFetch(webhook: FetchWebhook, { url, body, signal }: Sent): Promise<unknown> {
  const headers = { "content-type": "application/json", accept: "application/json" };
  const request = new Request(url, { method: "POST", headers, body, signal });
  const response = await webhook.fetch(request);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (!response.ok) {
    const contentType = response.headers.get("content-type") ?? "";
    throw responseError(response.status, Buffer.from(bytes).toString("utf8"), contentType);
  }
  return codecs.json.decode(bytes);
}
