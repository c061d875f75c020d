import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createAuthority } from "../../../packages/apiserver/src/tls/authority.js";

/** Request of a server to a webhook. */
export interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: { readonly uid: string } & Readonly<Record<string, unknown>>;
}

/** A listening webhook. */
export interface ReviewWebhook extends AsyncDisposable {
  /** `clientConfig` of a webhook configuration. */
  readonly clientConfig: { readonly url: string; readonly caBundle: string };
}

/**
 * Listens for reviews on a socket of this machine.
 *
 * @param reply - the response to a review, but for its uid.
 */
export async function startReviewWebhook(
  reply: (review: Review) => object,
): Promise<ReviewWebhook> {
  const authority = createAuthority();
  const server = createServer(authority.server(["127.0.0.1"]), async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) {
      chunks.push(chunk as Uint8Array);
    }
    const review = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Review;
    const { apiVersion, kind } = review;
    const { uid } = review.request;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ apiVersion, kind, response: { uid, ...reply(review) } }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    clientConfig: {
      url: `https://127.0.0.1:${port}/review`,
      caBundle: Buffer.from(authority.cert).toString("base64"),
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
