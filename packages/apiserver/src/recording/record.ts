import type { HttpRequest, HttpResponse, HttpSend } from "@typekube/core/internal";
import { maskJson, type RecordedExchange } from "./recorded-exchange.js";

/** A transport that records requests and responses. */
export interface Recorder {
  /** The recording transport; pass it to `connect({ transport })`. */
  readonly send: HttpSend;
  /** The exchanges recorded so far, in the order in which the requests were sent. */
  readonly exchanges: readonly RecordedExchange[];
  /** Saves the recording to a file that only its owner can read, one line of JSON per exchange. */
  save(path: string): Promise<void>;
}

/** Response headers to record. They exclude cookies and certificates. */
const keptHeaders: ReadonlySet<string> = new Set([
  "content-type",
  "etag",
  "retry-after",
  "warning",
]);

/**
 * Records the traffic between a client and a cluster. The client gets JSON, whatever it requests, so that the recording
 * is readable and secrets can be found: data of Secrets and tokens are masked; credentials and request bodies are not
 * recorded. The contents of ConfigMaps, environment variables and logs are recorded unmasked.
 *
 * @param next - the transport to the cluster.
 */
export function recordExchanges(next: HttpSend): Recorder {
  const exchanges: RecordedExchange[] = [];
  const send: HttpSend = async (request) => {
    const response = await next({ ...request, headers: asJson(request.headers) });
    const chunks: string[] = [];
    exchanges.push(exchangeOf(request, response, chunks));
    return { ...response, body: listening(response, isWatch(request), chunks) };
  };
  return {
    send,
    exchanges,
    async save(path) {
      const { writeFile } = await import("node:fs/promises");
      const lines = exchanges.map((exchange) => `${JSON.stringify(exchange)}\n`);
      await writeFile(path, lines.join(""), { mode: 0o600 });
    },
  };
}

/** Changes the accepted encodings to JSON; views such as Table are kept. */
function asJson(headers: HttpRequest["headers"]): Record<string, string> {
  const accept = headers["accept"] ?? "application/json";
  const json = accept
    .split(",")
    .map((clause) => clause.replace(/^\s*application\/[^;\s]+/, "application/json").trim());
  return { ...headers, accept: [...new Set(json)].join(",") };
}

function exchangeOf(
  { method, path }: HttpRequest,
  response: HttpResponse,
  chunks: readonly string[],
): RecordedExchange {
  const kept = Object.entries(response.headers).filter(([name]) => keptHeaders.has(name));
  return {
    method,
    path,
    status: response.status,
    headers: Object.fromEntries(kept),
    chunks,
  };
}

function isWatch({ path }: HttpRequest): boolean {
  return /[?&]watch=(?:1|true)(?:&|$)/.test(path);
}

/** Passes a body through and records it: a watch line by line, anything else as a whole, so that no secret is split. */
async function* listening(
  { headers, body }: HttpResponse,
  byLines: boolean,
  chunks: string[],
): AsyncGenerator<Uint8Array, void, undefined> {
  const isJson = !/^text\/plain/.test(headers["content-type"] ?? "");
  const keep = (text: string) => chunks.push(isJson ? maskJson(text) : text);
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for await (const chunk of body) {
      rest += decoder.decode(chunk, { stream: true });
      if (byLines) {
        const lines = rest.split(/(?<=\n)/);
        rest = lines.at(-1)?.endsWith("\n") ? "" : (lines.pop() ?? "");
        lines.forEach(keep);
      }
      yield chunk;
    }
  } finally {
    if (rest !== "") {
      keep(rest);
    }
  }
}
