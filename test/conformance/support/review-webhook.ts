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

/** A response that is not a review with a `response`. */
export class OddResponse {
  readonly status: number;
  readonly body: unknown;

  /** @param body - the whole body: text, or a value to send as JSON. */
  constructor(status: number, body: unknown) {
    this.status = status;
    this.body = body;
  }
}

/** Replies to a review: with `response` but for its uid, or oddly. */
export type ReviewReply = (
  review: Review,
  path: string,
) => OddResponse | object | Promise<OddResponse | object>;

/** A listening webhook. */
export interface ReviewWebhook extends AsyncDisposable {
  /** `clientConfig` of a webhook configuration. */
  readonly clientConfig: { readonly url: string; readonly caBundle: string };
}

/**
 * Listens for reviews on a socket of this machine.
 *
 * @param reply - replies to a review at a path.
 */
export async function startReviewWebhook(reply: ReviewReply): Promise<ReviewWebhook> {
  const authority = createAuthority();
  const server = createServer(authority.server(["127.0.0.1"]), async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) {
      chunks.push(chunk as Uint8Array);
    }
    const review = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Review;
    const { apiVersion, kind } = review;
    const { uid } = review.request;
    const [path = ""] = (request.url ?? "").split("?");
    const given = await reply(review, path);
    const { status, body } =
      given instanceof OddResponse
        ? given
        : new OddResponse(200, { apiVersion, kind, response: { uid, ...given } });
    response.writeHead(status, { "content-type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
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
