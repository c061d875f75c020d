import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import type { EventDetails } from "./event-recorder.js";

/** A reference to an object, as events contain it. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** Something that happened to an object once. */
export interface Occurrence {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  readonly regarding: ObjectReference;
  readonly related: ObjectReference | undefined;
  readonly separateNotes: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Maximum of characters of a reason and of an action. (kubernetes `pkg/apis/core/validation/events.go`) */
const maxWordLength = 128;
/** Maximum of bytes of a note. (kubernetes `NoteLengthLimit`) */
const maxNoteBytes = 1024;

/**
 * Returns an occurrence that the API accepts: its note is cut if it is too long.
 *
 * @throws {KubeError} `InvalidArgument` for an object, a reason or an action that no event can have.
 */
export function occurrenceOf(
  type: Occurrence["type"],
  object: KubeObject,
  reason: string,
  note: string,
  at: number,
  { action = reason, related, separateNotes = false }: EventDetails = {},
): Occurrence {
  assertWord("reason", reason);
  assertWord("action", action);
  return {
    type,
    reason,
    action,
    note: cutNote(note),
    regarding: referenceTo(object, "the object of an event"),
    related: related === undefined ? undefined : referenceTo(related, "related"),
    separateNotes,
    at,
  };
}

/** Returns what identifies an object among those that events refer to: its resourceVersion is no part of it. */
export function referenceKey(reference: ObjectReference | undefined): string {
  const { apiVersion, kind, namespace = "", name, uid = "" } = reference ?? noReference;
  return `${apiVersion} ${kind} ${namespace}/${name} ${uid}`;
}

const noReference: ObjectReference = { apiVersion: "", kind: "", name: "" };

/** Cuts a note to the length that the API accepts, at the end of a character. */
export function cutNote(note: string): string {
  const bytes = Buffer.from(note);
  if (bytes.length <= maxNoteBytes) {
    return note;
  }
  const ellipsis = "…";
  let end = maxNoteBytes - Buffer.byteLength(ellipsis);
  // Bytes 10xxxxxx continue a character.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) {
    end--;
  }
  return `${bytes.toString("utf8", 0, end)}${ellipsis}`;
}

function assertWord(name: string, word: string): void {
  if (typeof word !== "string" || word === "" || word.length > maxWordLength) {
    const shown = typeof word === "string" ? `"${word.slice(0, 40)}"` : String(word);
    throw new KubeError("InvalidArgument", `an event's ${name} cannot be ${shown}`, {
      hint: `one word in CamelCase, of at most ${maxWordLength} characters; details belong into the note`,
    });
  }
}

function referenceTo({ apiVersion, kind, metadata }: KubeObject, what: string): ObjectReference {
  const { name, namespace, uid, resourceVersion } = metadata ?? {};
  if (!apiVersion || !kind || !name) {
    throw new KubeError("InvalidArgument", `${what} has no apiVersion, kind or metadata.name`, {
      hint: "record events about objects as the server returned them",
    });
  }
  return {
    apiVersion,
    kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}
