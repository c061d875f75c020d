import { codecs, type HttpResponse } from "@typekube/core/internal";

/** Protocol of a connection; `in-process` for a transport without sockets. */
export type RequestProtocol = "HTTP/1.1" | "HTTP/2" | "in-process";

/** A request received by the server. */
export interface JournalEntry {
  /** The API verb; `get` for non-resource paths. */
  readonly verb: string;
  /** HTTP method. */
  readonly method: string;
  /** Path and query as received. */
  readonly path: string;
  /** The API group; absent for non-resource paths. */
  readonly group?: string | undefined;
  /** The API version within the group. */
  readonly version?: string | undefined;
  /** Plural name of the resource; absent for non-resource paths. */
  readonly resource?: string | undefined;
  /** Name of the subresource; absent for the object itself and for collections. */
  readonly subresource?: string | undefined;
  /** Namespace in the path; absent for cluster-wide requests. */
  readonly namespace?: string | undefined;
  /** Name of the object in the path; absent for collections. */
  readonly name?: string | undefined;
  /** The `User-Agent` header; absent without one. */
  readonly userAgent?: string | undefined;
  /** Name of the user after impersonation; absent when authentication failed. */
  readonly user?: string | undefined;
  /** Protocol of the connection. */
  readonly protocol: RequestProtocol;
  /** Size of the request body. */
  readonly bodyBytes: number;
  /** Absent while there is no response, and if there never is one. */
  readonly status?: number | undefined;
  /** Encoding of the response. */
  readonly encoding?: "cbor" | "json" | "protobuf" | "yaml" | "text" | undefined;
  /** Milliseconds of the server's clock until the response began. */
  readonly durationMs?: number | undefined;
  /** Annotations by admission webhooks and policies, such as `hook.example.com/reason`. Absent without any. */
  readonly auditAnnotations?: Readonly<Record<string, string>> | undefined;
}

/** The latest requests of a server. The number is limited because a server may run for months. */
export interface Journal {
  readonly entries: readonly JournalEntry[];
  add(entry: JournalEntry): void;
}

/**
 * Creates an empty journal.
 *
 * @param limit - number of entries to keep; beyond it, the oldest tenth is dropped.
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

/** Returns the fields of a response that the journal records. */
export function responded(
  { status, headers }: HttpResponse,
  durationMs: number,
): Pick<JournalEntry, "durationMs" | "encoding" | "status"> {
  return { status, encoding: encodingOf(headers["content-type"] ?? ""), durationMs };
}

/** Returns a function that adds audit annotations to an entry. */
export function annotator(entry: JournalEntry): (key: string, value: string) => void {
  return (key, value) => {
    const auditAnnotations = { ...entry.auditAnnotations, [key]: value };
    Object.assign(entry, { auditAnnotations });
  };
}

/** Derives the encoding from the Content-Type of a response. */
function encodingOf(contentType: string): JournalEntry["encoding"] {
  return codecs.forContentType(contentType)?.name ?? "text";
}
