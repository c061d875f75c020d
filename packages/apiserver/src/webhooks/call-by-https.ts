import type { IncomingMessage } from "node:http";
import { codecs, collectBytes } from "@typekube/core/internal";
import type { JsonObject } from "../objects/json-value.js";
import { postError } from "./post-error.js";
import { responseError } from "./response-error.js";

/** A call of a webhook by its URL. */
export interface WebhookCall {
  /** URL of the webhook, from its `clientConfig.url`. */
  readonly url: string;
  /** PEM certificates to verify the webhook; absent to use the system's. */
  readonly ca: string | undefined;
  /** The AdmissionReview or ConversionReview to send. */
  readonly review: JsonObject;
  /** Milliseconds until the server stops waiting. */
  readonly timeoutMs: number;
}

/** Sends a review and returns the one in the response. */
export type CallWebhook = (call: WebhookCall) => Promise<unknown>;

/** Maximum bytes of a webhook's response. */
const maxReviewBytes = 32 * 1024 * 1024;

/** Calls a webhook over HTTPS in real time, with the error messages of a real server. */
export const callByHttps: CallWebhook = async ({ url, ca, review, timeoutMs }) => {
  const body = await codecs.json.encode(review);
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await post(url, body, ca, signal);
    const bytes = await collectBytes(response, maxReviewBytes, undefined, "the response");
    const { statusCode = 0, headers } = response;
    if (statusCode < 200 || statusCode > 206) {
      const text = Buffer.from(bytes).toString("utf8");
      throw responseError(statusCode, text, headers["content-type"] ?? "");
    }
    return await codecs.json.decode(bytes);
  } catch (error) {
    throw signal.aborted ? postError(url, "context deadline exceeded") : error;
  }
};

async function post(
  url: string,
  body: Uint8Array,
  ca: string | undefined,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  // Most servers never call a webhook.
  const { request } = await import("node:https");
  const headers = {
    "content-type": "application/json",
    accept: "application/json",
    "content-length": body.byteLength,
  };
  return new Promise((resolve, reject) => {
    const options = { method: "POST", headers, ca, signal, agent: false };
    const sent = request(url, options, resolve);
    sent.on("error", (error) => reject(postError(url, dialText(error))));
    sent.end(body);
  });
}

const unknownAuthority =
  "tls: failed to verify certificate: x509: certificate signed by unknown authority";

/** Go's messages for common failures, by Node's code. */
const goTexts: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  ECONNRESET: "EOF",
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
};

/** Returns Go's message for a failure, if it is a common one, otherwise Node's. */
function dialText(error: NodeJS.ErrnoException & { address?: string; port?: number }): string {
  const { code = "", address = "", port, message } = error;
  const host = address.includes(":") ? `[${address}]` : address;
  return code === "ECONNREFUSED" && port !== undefined
    ? `dial tcp ${host}:${port}: connect: connection refused`
    : (goTexts[code] ?? message);
}
