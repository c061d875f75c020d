import { KubeError } from "@typekube/core";
import { codecs } from "@typekube/core/internal";
import { abortable } from "../discovery/abortable.js";
import type { CallOptions } from "../options/call-options.js";
import type { CallContext } from "../request/call-context.js";
import { sendRaw } from "./raw-request.js";

/**
 * Maximum number of cached OpenAPI v3 documents, since they are large. The least recently used document is dropped
 * first.
 */
export const maxKeptDocuments = 32;

/** An OpenAPI document as the server wrote it. */
export type OpenApiDocument = Readonly<Record<string, unknown>>;

/** Response of `/openapi/v3`. */
interface Root {
  readonly paths?: Readonly<Record<string, { readonly serverRelativeURL?: string }>>;
}

/** Reads the server's OpenAPI description of its API. */
export class OpenApi {
  readonly #context: CallContext;
  /** Keyed by URL. The URL contains the hash of the document, so a changed document has another URL. */
  readonly #kept = new Map<string, Promise<OpenApiDocument>>();

  constructor(context: CallContext) {
    this.#context = context;
  }

  /** Returns the names of the OpenAPI v3 documents (`api/v1`, `apis/apps/v1`) with their current URLs. */
  async paths(options: CallOptions = {}): Promise<ReadonlyMap<string, string>> {
    const { paths = {} } = (await this.#get("/openapi/v3", "", options)) as Root;
    return new Map(
      Object.entries(paths).flatMap(([name, { serverRelativeURL }]) =>
        serverRelativeURL === undefined ? [] : [[name, serverRelativeURL] as const],
      ),
    );
  }

  /**
   * Returns the OpenAPI v3 document of one group-version. The request names the hash from the server's index, so an
   * unchanged document is sent once.
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
    // All callers share this request, so no single signal ends it.
    const kept = this.#kept.get(url) ?? this.#get(path, query, {});
    this.#keep(url, kept);
    return abortable(kept, options.signal);
  }

  /** Returns the OpenAPI v2 document of the whole API, several megabytes. It is not cached. */
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
    // Decoded as JSON, the requested type: servers label their index text/plain.
    const limits = this.#context.defaults.limits;
    return (await codecs.json.decode(await response.bytes(), { limits })) as OpenApiDocument;
  }
}
