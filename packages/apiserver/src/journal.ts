import { codecs } from "@typekube/core";

/** One request that the server got. */
export interface JournalEntry {
  /** The API's verb; `get` for paths that are no resources. */
  readonly verb: string;
  readonly method: string;
  /** Path and query as they came. */
  readonly path: string;
  /** The plural name of the resource; absent for other paths. */
  readonly resource?: string | undefined;
  readonly subresource?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly userAgent?: string | undefined;
  /** Absent while there is no answer, and when there will be none. */
  readonly status?: number | undefined;
  /** The encoding of the answer. */
  readonly encoding?: "cbor" | "json" | "protobuf" | "yaml" | "text" | undefined;
}

/** Reads the encoding from the Content-Type of an answer. */
export function encodingOf(contentType: string): JournalEntry["encoding"] {
  return codecs.forContentType(contentType)?.name ?? "text";
}
