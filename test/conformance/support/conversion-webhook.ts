import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createAuthority } from "../../../packages/apiserver/src/connections/authority.js";

/** An object as a webhook gets it. */
export type WireObject = Record<string, unknown>;

/** A conversion webhook that is listening. */
export interface ConversionWebhook extends AsyncDisposable {
  /** What a definition says to reach it. */
  readonly conversion: object;
  /** The versions that were asked for, in order. */
  readonly asked: readonly string[];
}

/**
 * Listens for conversion reviews on a socket of this machine.
 *
 * @param convert - converts one object; what it throws is the reason that the webhook gives.
 */
export async function startConversionWebhook(
  convert: (object: WireObject, toApiVersion: string) => WireObject,
): Promise<ConversionWebhook> {
  const authority = createAuthority();
  const asked: string[] = [];
  const server = createServer(authority.server(["127.0.0.1"]), async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) {
      chunks.push(chunk as Uint8Array);
    }
    const review = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    const { uid, desiredAPIVersion, objects } = review.request;
    asked.push(desiredAPIVersion);
    const answer = outcome(() =>
      objects.map((object: WireObject) => convert(object, desiredAPIVersion)),
    );
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        apiVersion: review.apiVersion,
        kind: review.kind,
        response: { uid, ...answer },
      }),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    conversion: {
      strategy: "Webhook",
      webhook: {
        conversionReviewVersions: ["v1"],
        clientConfig: {
          url: `https://127.0.0.1:${port}/convert`,
          caBundle: Buffer.from(authority.cert).toString("base64"),
        },
      },
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function outcome(convert: () => WireObject[]): object {
  try {
    return { result: { status: "Success" }, convertedObjects: convert() };
  } catch (error) {
    return { result: { status: "Failure", message: (error as Error).message } };
  }
}
