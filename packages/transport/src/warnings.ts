import { harmless } from "@typekube/core";
import type { Interceptor } from "@typekube/core/internal";

/** What the server wants people to know: a deprecated version, a field that it ignored. */
export interface Warning {
  readonly text: string;
  readonly method: string;
  /** The path of the request; the query is left out. */
  readonly path: string;
}

/**
 * Reads `Warning` headers (RFC 7234 5.5): `299 - "text"`, joined by commas. As client-go, only code 299
 * with a text counts; what is malformed is skipped. Servers write UTF-8, of which Node makes one character a byte. Control and
 * bidirectional characters become visible escapes, since warnings end in terminals.
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

/** The text whose bytes a header's characters are. One that no UTF-8 is stays as it is. */
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

/** Hands the warnings of every response to `onWarning`. What that throws fails the call, whose answer nobody reads then. */
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
