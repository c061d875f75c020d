import { codecs, type HttpResponse } from "@typekube/core/internal";
import type { Caller } from "../access/authenticate.js";

/** One request that the server got. */
export interface JournalEntry {
  /** The API's verb; `get` for paths that are no resources. */
  readonly verb: string;
  readonly method: string;
  /** Path and query as they came. */
  readonly path: string;
  /** The API group; absent for paths that are no resources. */
  readonly group?: string | undefined;
  /** The version of the group. */
  readonly version?: string | undefined;
  /** The plural name of the resource; absent for other paths. */
  readonly resource?: string | undefined;
  readonly subresource?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly userAgent?: string | undefined;
  /** Whose request it was, after impersonation; absent when the server did not let them in. */
  readonly user?: string | undefined;
  /** How it came. */
  readonly protocol: Caller["protocol"];
  /** Bytes of the request's body. */
  readonly bodyBytes: number;
  /** Absent while there is no answer, and when there will be none. */
  readonly status?: number | undefined;
  /** The encoding of the answer. */
  readonly encoding?: "cbor" | "json" | "protobuf" | "yaml" | "text" | undefined;
  /** Milliseconds on the server's clock until the answer began. */
  readonly durationMs?: number | undefined;
}

/** The requests of a server, up to a limit: one that runs for months must not keep them all. */
export interface Journal {
  readonly entries: readonly JournalEntry[];
  add(entry: JournalEntry): void;
}

/**
 * Creates an empty journal.
 *
 * @param limit - entries that it keeps; beyond, the oldest tenth goes.
 */
export function createJournal(limit: number): Journal {
  const entries: JournalEntry[] = [];
  return {
    entries,
    add(entry) {
      entries.push(entry);
      if (entries.length > limit) {
        entries.splice(0, Math.max(1, Math.floor(limit / 10)));
      }
    },
  };
}

/** What of an answer goes into the journal. */
export function responded(
  { status, headers }: HttpResponse,
  durationMs: number,
): Pick<JournalEntry, "durationMs" | "encoding" | "status"> {
  return { status, encoding: encodingOf(headers["content-type"] ?? ""), durationMs };
}

/** Reads the encoding from the Content-Type of an answer. */
function encodingOf(contentType: string): JournalEntry["encoding"] {
  return codecs.forContentType(contentType)?.name ?? "text";
}
