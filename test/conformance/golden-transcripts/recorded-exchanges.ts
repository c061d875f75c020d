import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { HttpMethod } from "@typekube/core/internal";
import { hasCaptures } from "@typekube/test-support/captures";
import { corpusFolder } from "@typekube/test-support/golden-corpus";

/** A request that was sent to a real server, with its response. */
export interface RecordedExchange {
  readonly name: string;
  readonly method: HttpMethod;
  readonly path: string;
  /** Headers with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  readonly response: RecordedResponse;
}

/** A response after decompression. */
export interface RecordedResponse {
  readonly status: number;
  readonly type: string;
  readonly body: Uint8Array;
}

const folder = `${corpusFolder}captures/`;

/**
 * Returns the exchanges with one server in chronological order. The server's clock has a resolution of seconds: within
 * one second, names are sorted, which puts older states first, unless `order` states otherwise.
 *
 * @param server - prefix of the names, such as `136t`.
 * @param order - names that came in this order, before any others of their second.
 */
export function recordedExchanges(server: string, order: readonly string[]): RecordedExchange[] {
  if (!hasCaptures) {
    return [];
  }
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return readdirSync(folder)
    .filter((file) => file.startsWith(`${server}-`) && file.endsWith(".req"))
    .map((file) => file.slice(0, -".req".length))
    .map((name) => ({ name, at: dateOf(name) }))
    .sort((a, b) => a.at - b.at || rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1))
    .map(({ name }) => ({ name, ...requestOf(name), response: responseOf(name) }));
}

/** Returns the body of a recorded JSON response. */
export function recordedJson<T>(name: string): T {
  return JSON.parse(Buffer.from(responseOf(name).body).toString("utf8")) as T;
}

/** Returns the lines of a recorded JSON watch. */
export function recordedLines<T>(name: string): T[] {
  const lines = Buffer.from(responseOf(name).body).toString("utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as T);
}

function dateOf(name: string): number {
  return Date.parse(
    /^date: *(.*?)\r?$/im.exec(readFileSync(`${folder}${name}.hdr`, "utf8"))?.[1] ?? "",
  );
}

/** Reads a request line, then curl arguments: `-H` with a header each, `-d` or `--data-binary` with all that follows. */
function requestOf(name: string): Pick<RecordedExchange, "body" | "headers" | "method" | "path"> {
  const bytes = readFileSync(`${folder}${name}.req`);
  const [line, ...rest] = bytes.toString("latin1").split("\n");
  const [method, path = ""] = (line ?? "").split(" ");
  const headers: Record<string, string> = { "user-agent": "curl/8" };
  let body: Uint8Array | undefined;
  for (let index = 0; index < rest.length; index += 2) {
    const [argument, value = ""] = rest.slice(index, index + 2);
    if (argument === "-H") {
      const [key = "", ...words] = value.split(":");
      headers[key.toLowerCase()] = words.join(":").trim();
    } else if (argument === "-d" || argument === "--data-binary") {
      const text = rest.slice(index + 1).join("\n");
      // The newline at the end of the file is not part of the body.
      body = Buffer.from(text.replace(/\n$/, ""), "latin1");
      break;
    }
  }
  return { method: method as HttpMethod, path, headers, body };
}

function responseOf(name: string): RecordedResponse {
  const head = readFileSync(`${folder}${name}.hdr`, "utf8");
  const body = readFileSync(`${folder}${name}.body`);
  const isCompressed = body[0] === 0x1f && body[1] === 0x8b;
  return {
    status: Number(/^HTTP\/\S+ (\d+)/.exec(head)?.[1]),
    type: /^content-type: *(.*?)\r?$/im.exec(head)?.[1] ?? "",
    body: isCompressed ? gunzipSync(body) : body,
  };
}
