import { KubeError } from "@typekube/core";
import { codecs } from "@typekube/core/internal";
import { abortable } from "./discovery/abortable.js";
import type { Exchanging } from "./exchanging.js";
import type { CallOptions } from "./options.js";
import { sendRaw } from "./raw-request.js";

/** Documents of OpenAPI v3 that are kept; the one used least recently goes first. They are large. */
export const maxKeptDocuments = 32;

/** An OpenAPI document as the server wrote it. */
export type OpenApiDocument = Readonly<Record<string, unknown>>;

/** The answer of `/openapi/v3`. */
interface Root {
  readonly paths?: Readonly<Record<string, { readonly serverRelativeURL?: string }>>;
}

/** The server's own description of its API. */
export class OpenApi {
  readonly #context: Exchanging;
  /** By URL, which holds the hash of the document: another document has another URL. */
  readonly #kept = new Map<string, Promise<OpenApiDocument>>();

  constructor(context: Exchanging) {
    this.#context = context;
  }

  /** The names of the documents of OpenAPI v3 (`api/v1`, `apis/apps/v1`) with the URL that each is at now. */
  async paths(options: CallOptions = {}): Promise<ReadonlyMap<string, string>> {
    const { paths = {} } = (await this.#get("/openapi/v3", "", options)) as Root;
    return new Map(
      Object.entries(paths).flatMap(([name, { serverRelativeURL }]) =>
        serverRelativeURL === undefined ? [] : [[name, serverRelativeURL] as const],
      ),
    );
  }

  /**
   * The OpenAPI v3 document of one group-version. It is asked for by the hash that the server names, so it is sent once as long
   * as it does not change.
   *
   * @throws {KubeError} `NotFound` for a group-version that the server does not describe.
   */
  async document(apiVersion: string, options: CallOptions = {}): Promise<OpenApiDocument> {
    const name = String(apiVersion).includes("/") ? `apis/${apiVersion}` : `api/${apiVersion}`;
    const url = (await this.paths(options)).get(name);
    if (url === undefined) {
      throw new KubeError("NotFound", `this server has no OpenAPI v3 document of ${apiVersion}`);
    }
    const [path = "", query = ""] = url.split("?");
    if (!path.startsWith("/openapi/v3/")) {
      throw new KubeError("Decode", "the server's OpenAPI index points outside of /openapi/v3/");
    }
    // It is for all who ask, so no single signal ends it.
    const kept = this.#kept.get(url) ?? this.#get(path, query, {});
    this.#keep(url, kept);
    return abortable(kept, options.signal);
  }

  /** The OpenAPI v2 document of everything, some megabytes. It is not kept. */
  async v2(options: CallOptions = {}): Promise<OpenApiDocument> {
    return this.#get("/openapi/v2", "", options);
  }

  #keep(url: string, document: Promise<OpenApiDocument>): void {
    this.#kept.delete(url);
    this.#kept.set(url, document);
    document.catch(() => this.#kept.delete(url));
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= maxKeptDocuments) {
        break;
      }
      this.#kept.delete(oldest);
    }
  }

  async #get(path: string, query: string, options: CallOptions): Promise<OpenApiDocument> {
    const parameters = Object.fromEntries(new URLSearchParams(query));
    const response = await sendRaw(this.#context, { ...options, path, query: parameters });
    // JSON by what was asked for: servers call their index text/plain.
    const limits = this.#context.defaults.limits;
    return (await codecs.json.decode(await response.bytes(), { limits })) as OpenApiDocument;
  }
}
