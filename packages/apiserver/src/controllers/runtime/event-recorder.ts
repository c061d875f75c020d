import type { Clock } from "@typekube/core/internal";
import type { ServerContext } from "../../context/server-context.js";
import { StatusError } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { timestamp } from "../../objects/timestamp.js";
import { PendingCall, withPendingCalls } from "../../time/pending-call.js";
import type { Work } from "../../time/work.js";
import { type EventSource, type EventText, eventOf } from "./event-object.js";
import type { ObjectWriter } from "./object-writer.js";

const storage = "events";

/** Number of Events remembered for counting repetitions: `maxLruCacheEntries` of client-go. */
const maxKnownEvents = 4_096;

/** Records Events about objects, like client-go's recorder: a repeated Event increases the count of the first. */
export interface EventRecorder {
  record(object: ApiObject, text: EventText, source: EventSource): void;
}

/** State of one server's recorder. */
interface Recording {
  readonly clock: Clock;
  readonly work: Work;
  readonly writer: ObjectWriter;
  /** Names of recorded Events by identity; the oldest entry is evicted first. */
  readonly known: Map<string, string>;
  /** Number of names tried so far; it makes the names of the same time unique. */
  tried: number;
}

/**
 * Creates the recorder of one server. The writer must be prepared for `events`. Like in a cluster, an Event that the
 * server rejects is dropped, for example in a terminating namespace or above a quota.
 */
export function createEventRecorder(
  { clock, work }: Pick<ServerContext, "clock" | "work">,
  writer: ObjectWriter,
): EventRecorder {
  const recording: Recording = { clock, work, writer, known: new Map(), tried: 0 };
  return { record: (object, text, source) => record(recording, object, text, source) };
}

function record(
  recording: Recording,
  object: ApiObject,
  text: EventText,
  source: EventSource,
): void {
  if (recording.writer.resourceOf(storage) === undefined) {
    return;
  }
  const write = writeOf(recording, object, text, source);
  try {
    write();
  } catch (error) {
    if (error instanceof PendingCall) {
      finishLater(recording, write);
    } else {
      ignoreRejection(error);
    }
  }
}

/** Writes an Event that webhooks review, while its controller goes on. */
function finishLater({ work }: Recording, write: () => void): void {
  work.begin();
  void withPendingCalls(write)
    .catch(ignoreRejection)
    .finally(() => work.end());
}

function ignoreRejection(error: unknown): void {
  if (!(error instanceof StatusError)) {
    throw error;
  }
}

/** Returns the write of an Event: the increased count of one that is known and still exists, otherwise a new one. */
function writeOf(
  recording: Recording,
  object: ApiObject,
  text: EventText,
  source: EventSource,
): () => void {
  const { clock, writer, known } = recording;
  const { name: about = "", namespace = "default", uid } = object.metadata;
  const { type = "Normal", reason, message, fieldPath } = text;
  const id = JSON.stringify([uid, fieldPath, type, reason, message, source]);
  const before = writer.get(storage, namespace, known.get(id) ?? "");
  const now = timestamp(clock);
  if (before !== undefined) {
    const count = Number(before["count"] ?? 1) + 1;
    return () => writer.update(storage, { ...before, count, lastTimestamp: now });
  }
  const name = nextName(recording, namespace, about);
  const event = { ...eventOf(object, text, source, now), metadata: { name, namespace } };
  return () => {
    writer.create(storage, event);
    remember(known, id, name);
  };
}

function nextName(recording: Recording, namespace: string, about: string): string {
  const { clock, writer } = recording;
  let name: string;
  do {
    name = `${about}.${nanoseconds(clock, recording.tried++)}`;
  } while (writer.get(storage, namespace, name) !== undefined);
  return name;
}

function remember(known: Map<string, string>, id: string, name: string): void {
  known.delete(id);
  known.set(id, name);
  for (const oldest of known.size > maxKnownEvents ? known.keys() : []) {
    known.delete(oldest);
    break;
  }
}

/**
 * Returns the time as in client-go's Event names: nanoseconds in hexadecimal. The count makes names of the same time
 * unique.
 */
function nanoseconds(clock: Clock, count: number): string {
  return (BigInt(Math.floor(clock.now())) * 1_000_000n + BigInt(count)).toString(16);
}
