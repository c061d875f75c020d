import { harmless } from "@typekube/core";
import type { Interceptor } from "@typekube/core/internal";

/** A warning from the server for users: a deprecated version, or a field that it ignored. */
export interface Warning {
  /** Text of the warning, with control characters escaped. */
  readonly text: string;
  /** HTTP method of the request. */
  readonly method: string;
  /** Path of the request, without the query. */
  readonly path: string;
}

/**
 * Parses `Warning` headers (RFC 7234 5.5): `299 - "text"`, joined by commas. As in client-go, only code 299 with a text
 * counts, and malformed warnings are skipped. Servers write UTF-8, which Node decodes as one character per byte.
 * Control and bidirectional characters become visible escapes, since warnings are printed in terminals.
 */
export function parseWarnings(header: string): string[] {
  const texts: string[] = [];
  const pattern = /(\d{3}) +[^\s,"]+ +"((?:[^"\\]|\\.)*)"(?: +"[^"]*")?\s*(?:,|$)/g;
  for (const [, code, quoted = ""] of asWritten(header).matchAll(pattern)) {
    const text = quoted.replace(/\\(.)/g, "$1");
    if (code === "299" && text !== "") {
      texts.push(harmless(text));
    }
  }
  return texts;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Decodes a header whose characters are UTF-8 bytes. Invalid UTF-8 stays unchanged. */
function asWritten(header: string): string {
  if (!/^[\0-\xff]*[\x80-\xff][\0-\xff]*$/.test(header)) {
    return header;
  }
  try {
    return utf8.decode(Buffer.from(header, "latin1"));
  } catch {
    return header;
  }
}

/**
 * Passes the warnings of every response to `onWarning`. When the callback throws, the call fails and its response is
 * cancelled.
 */
export function warnings(onWarning: (warning: Warning) => void): Interceptor {
  return (next) => async (request) => {
    const response = await next(request);
    const header = response.headers["warning"];
    if (header !== undefined) {
      const path = request.path.split("?", 1)[0] ?? "";
      try {
        for (const text of parseWarnings(header)) {
          onWarning({ text, method: request.method, path });
        }
      } catch (error) {
        await response.body[Symbol.asyncIterator]().return?.();
        throw error;
      }
    }
    return response;
  };
}
