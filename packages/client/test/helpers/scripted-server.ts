import type { ClientSettings } from "@typekube/client";
import type { HttpRequest, HttpResponse } from "@typekube/core/internal";
import { Client } from "typekube/internal";

/** One answer: an object is sent as JSON, text and bytes as they are, an error is what `send` fails with. */
export interface TestResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly body?: object | string | Uint8Array | readonly Uint8Array[];
}

/** An answer, an object to answer with, or what makes one of the request. */
export type Script =
  | TestResponse
  | Error
  | ((request: Sent) => TestResponse | Error | Promise<TestResponse>);

/** A request as a test looks at it. */
export interface Sent extends HttpRequest {
  /** Without the query. */
  readonly url: string;
  readonly query: Readonly<Record<string, string>>;
  /** The body as it stands on the wire. */
  readonly text: string;
}

/** A server that answers in order and repeats its last answer; it remembers what it was asked. */
export class ScriptedServer {
  readonly sent: Sent[] = [];
  /** How many bodies were iterated, and how many of them were read or ended. */
  bodiesOpened = 0;
  bodiesEnded = 0;
  readonly #script: readonly Script[];

  constructor(...script: readonly Script[]) {
    this.#script = script;
  }

  /** A client of this server. */
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
    const sent: Sent = {
      ...request,
      url,
      query: Object.fromEntries(new URLSearchParams(query)),
      text: Buffer.from(request.body ?? []).toString(),
    };
    const script = this.#script[Math.min(this.sent.length, this.#script.length - 1)] ?? {};
    this.sent.push(sent);
    const response = typeof script === "function" ? await script(sent) : script;
    if (response instanceof Error) {
      throw response;
    }
    const { status = 200, headers = {}, body = {} } = response;
    const isRaw = typeof body === "string" || body instanceof Uint8Array || Array.isArray(body);
    const type = response.type ?? "application/json";
    const chunks = isRaw ? [body].flat() : [JSON.stringify(body)];
    return {
      status,
      headers: { ...(type === "" ? {} : { "content-type": type }), ...headers },
      body: this.#body(chunks as (string | Uint8Array)[], request.signal),
    };
  };

  /** A body that counts as opened once somebody asks for its iterator, and as ended when that is read or given back. */
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

/** A Status as the server sends it, with its HTTP status. */
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

/** A page of a PodList. */
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
