import type { CallContext } from "../request/call-context.js";
import { decodeResponse } from "../request/request-object.js";
import { sendCall } from "../request/send-call.js";

/** A response that the server can confirm as unchanged. */
interface Remembered {
  readonly etag: string;
  readonly response: unknown;
}

/** GETs documents and keeps those with an ETag, so that unchanged documents are not sent again. */
export class RevalidatedReads {
  readonly #context: CallContext;
  readonly #remembered = new Map<string, Remembered>();

  constructor(context: CallContext) {
    this.#context = context;
  }

  /** Returns the document from the server, or the kept document when the server responds that it is unchanged. */
  async get(path: string, accept: string): Promise<unknown> {
    const known = this.#remembered.get(path);
    const response = await sendCall(this.#context, {
      method: "GET",
      path,
      accept,
      headers: known ? { "if-none-match": known.etag } : undefined,
      options: {},
    });
    if (response.response.status === 304 && known) {
      return known.response;
    }
    const document = await decodeResponse(this.#context, response, path);
    const etag = response.response.headers["etag"];
    if (etag === undefined) {
      this.#remembered.delete(path);
    } else {
      this.#remembered.set(path, { etag, response: document });
    }
    return document;
  }
}
