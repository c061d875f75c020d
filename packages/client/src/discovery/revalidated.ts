import { exchange } from "../exchange.js";
import { decodeResponse } from "../exchange-object.js";
import type { Exchanging } from "../exchanging.js";

/** An answer that a server may say is still good. */
interface Remembered {
  readonly etag: string;
  readonly response: unknown;
}

/** GETs documents and keeps those with an ETag: what has not changed is not sent again. */
export class RevalidatedReads {
  readonly #context: Exchanging;
  readonly #remembered = new Map<string, Remembered>();

  constructor(context: Exchanging) {
    this.#context = context;
  }

  /** The document, from the server or, when that says that it is still the same, from here. */
  async get(path: string, accept: string): Promise<unknown> {
    const known = this.#remembered.get(path);
    const response = await exchange(this.#context, {
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
