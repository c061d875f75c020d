import type { HttpRequest, HttpResponse, HttpSend } from "@typekube/core/internal";
import { maskJson, type RecordedExchange } from "./exchange.js";

/** A transport that remembers what went through it. */
export interface Recorder {
  /** The same transport; give it to `connect({ transport })`. */
  readonly send: HttpSend;
  /** What is recorded by now, in the order in which the requests were sent. */
  readonly exchanges: readonly RecordedExchange[];
  /** Writes it to a file that only its owner can read, a line of JSON for each exchange. */
  save(path: string): Promise<void>;
}

/** What of an answer is worth keeping. No cookie and no certificate is among it. */
const keptHeaders: ReadonlySet<string> = new Set([
  "content-type",
  "etag",
  "retry-after",
  "warning",
]);

/**
 * Records what a client and a cluster say to each other. The client gets JSON, whatever it asks for, so that the recording
 * can be read and secrets can be found in it: data of Secrets and tokens are masked; credentials and what was sent are not
 * kept at all. What a ConfigMap, an environment variable or a log holds is kept as it is.
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

/** Views such as Table stay what they are, in JSON. */
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

/** Passes a body on and keeps it: a watch by its lines, anything else as a whole, so that no secret is in two pieces. */
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
