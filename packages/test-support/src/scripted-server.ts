import type { ClientSettings } from "@typekube/client";
import type { HttpRequest, HttpResponse } from "@typekube/core/internal";
import { Client } from "typekube/internal";

/** One response. An object is sent as JSON, text and bytes unchanged. */
export interface TestResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly body?: object | string | Uint8Array | readonly Uint8Array[];
}

/** A response, an error that `send` fails with, or a function that returns one for the request. */
export type Script =
  | TestResponse
  | Error
  | ((request: Sent) => TestResponse | Error | Promise<TestResponse>);

/** A recorded request. */
export interface Sent extends HttpRequest {
  /** Path without the query. */
  readonly url: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  /** The body as sent, read as text. */
  readonly text: string;
}

/** A server that sends its responses in order, repeats the last one, and records the requests. */
export class ScriptedServer {
  readonly sent: Sent[] = [];
  /** Number of bodies whose iteration began, and number of bodies read to the end or cancelled. */
  bodiesOpened = 0;
  bodiesEnded = 0;
  readonly #script: readonly Script[];

  constructor(...script: readonly Script[]) {
    this.#script = script;
  }

  /** Returns a client of this server. */
  client(settings: Partial<ClientSettings> = {}): Client {
    return new Client({ server: "http://scripted", send: this.send, ...settings });
  }

  get last(): Sent {
    const sent = this.sent.at(-1);
    if (sent === undefined) {
      throw new Error("nothing was sent");
    }
    return sent;
  }

  /** Method and path of each request. */
  get log(): string[] {
    return this.sent.map(({ method, path }) => `${method} ${path}`);
  }

  readonly send = async (request: HttpRequest): Promise<HttpResponse> => {
    request.signal?.throwIfAborted();
    const [url = "", query = ""] = request.path.split("?");
    const body = request.body instanceof Uint8Array ? request.body : undefined;
    const sent: Sent = {
      ...request,
      body,
      url,
      query: Object.fromEntries(new URLSearchParams(query)),
      text: Buffer.from(body ?? []).toString(),
    };
    const script = this.#script[Math.min(this.sent.length, this.#script.length - 1)] ?? {};
    this.sent.push(sent);
    const response = typeof script === "function" ? await script(sent) : script;
    if (response instanceof Error) {
      throw response;
    }
    const { status = 200, headers = {}, body: given = {} } = response;
    const isRaw = typeof given === "string" || given instanceof Uint8Array || Array.isArray(given);
    const type = response.type ?? "application/json";
    const chunks = isRaw ? [given].flat() : [JSON.stringify(given)];
    return {
      status,
      headers: { ...(type === "" ? {} : { "content-type": type }), ...headers },
      body: this.#body(chunks as (string | Uint8Array)[], request.signal),
    };
  };

  /** Returns a body. It counts as opened when its iterator is requested, and as ended when it was read or cancelled. */
  #body(
    chunks: readonly (string | Uint8Array)[],
    signal: AbortSignal | undefined,
  ): AsyncIterable<Uint8Array> {
    return {
      [Symbol.asyncIterator]: () => {
        this.bodiesOpened++;
        const iterator = walk(chunks, signal);
        let isEnded = false;
        const end = () => {
          this.bodiesEnded += isEnded ? 0 : 1;
          isEnded = true;
        };
        return {
          async next() {
            const result = await iterator.next().catch((error) => {
              end();
              throw error;
            });
            if (result.done) {
              end();
            }
            return result;
          },
          async return() {
            end();
            return iterator.return();
          },
        };
      },
    };
  }
}

async function* walk(
  chunks: readonly (string | Uint8Array)[],
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void> {
  for (const chunk of chunks) {
    signal?.throwIfAborted();
    yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
  }
}

/** Returns a Status as the server sends it, with its HTTP status. */
export function statusResponse(code: number, reason: string, more: object = {}): TestResponse {
  const body = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    reason,
    code,
    message: `${reason} it is`,
    ...more,
  };
  return { status: code, body };
}

/** Returns a page of a PodList. */
export function podPage(names: readonly string[], metadata: object = {}): TestResponse {
  const items = names.map((name) => ({ metadata: { name, namespace: "prod" } }));
  return {
    body: {
      kind: "PodList",
      apiVersion: "v1",
      metadata: { resourceVersion: "10", ...metadata },
      items,
    },
  };
}
