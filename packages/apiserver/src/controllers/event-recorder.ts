import type { Clock } from "@typekube/core/internal";
import { StatusError } from "../response/status-errors.js";
import { type ServerContext, timestamp } from "../server-context.js";
import type { JsonObject } from "../store/json-value.js";
import type { ApiObject } from "../store/stored-object.js";
import type { ObjectWriter } from "./object-writer.js";

const storage = "events";

/** Events whose repetitions are counted instead of stored again: `maxLruCacheEntries` of client-go. */
const maxKnownEvents = 4_096;

/** The content of an Event. */
export interface EventText {
  /** Default "Normal". */
  readonly type?: "Normal" | "Warning";
  /** One word in camel case, such as "SuccessfulCreate". */
  readonly reason: string;
  readonly message: string;
  /** The part of the object that it is about, such as "spec.containers{main}". */
  readonly fieldPath?: string;
}

/** Where an Event comes from. */
export interface EventSource {
  readonly component: string;
  readonly host?: string;
}

/** Records Events about objects, as client-go's recorder does: a repetition raises the count of the first. */
export interface EventRecorder {
  record(object: ApiObject, text: EventText, source: EventSource): void;
}

/**
 * Creates the recorder of one server. The resource `events` of the writer must be prepared. An Event that the server
 * refuses is dropped, as it is in a cluster: in a namespace that is being deleted, or above a quota.
 */
export function createEventRecorder(
  { clock }: Pick<ServerContext, "clock">,
  writer: ObjectWriter,
): EventRecorder {
  /** The names of recorded Events; the oldest is forgotten first. */
  const known = new Map<string, string>();
  let count = 0;

  const nextName = (namespace: string, about: string): string => {
    let name: string;
    do {
      name = `${about}.${nanoseconds(clock, count++)}`;
    } while (writer.get(storage, namespace, name) !== undefined);
    return name;
  };

  const remember = (id: string, name: string) => {
    known.delete(id);
    known.set(id, name);
    for (const oldest of known.size > maxKnownEvents ? known.keys() : []) {
      known.delete(oldest);
      break;
    }
  };

  const write = (object: ApiObject, text: EventText, source: EventSource) => {
    const { apiVersion, kind, metadata } = object;
    const { name: about = "", uid, resourceVersion } = metadata;
    const namespace = metadata.namespace ?? "default";
    const { type = "Normal", reason, message, fieldPath } = text;
    const id = JSON.stringify([uid, fieldPath, type, reason, message, source]);
    const before = writer.get(storage, namespace, known.get(id) ?? "");
    const now = timestamp(clock);
    if (before !== undefined) {
      writer.update(storage, {
        ...before,
        count: Number(before["count"] ?? 1) + 1,
        lastTimestamp: now,
      });
      return;
    }
    const involved: JsonObject = {
      apiVersion,
      kind,
      name: about,
      ...(metadata.namespace === undefined ? {} : { namespace }),
      uid,
      resourceVersion,
      ...(fieldPath === undefined ? {} : { fieldPath }),
    };
    const name = nextName(namespace, about);
    writer.create(storage, {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name, namespace },
      involvedObject: involved,
      type,
      reason,
      message,
      source: { ...source },
      reportingComponent: source.component,
      ...(source.host === undefined ? {} : { reportingInstance: source.host }),
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
    } as ApiObject);
    remember(id, name);
  };

  return {
    record(object, text, source) {
      if (writer.resourceOf(storage) === undefined) {
        return;
      }
      try {
        write(object, text, source);
      } catch (error) {
        if (!(error instanceof StatusError)) {
          throw error;
        }
      }
    },
  };
}

/** The time as client-go writes it into names: nanoseconds in hexadecimal. The count keeps names of one moment apart. */
function nanoseconds(clock: Clock, count: number): string {
  return (BigInt(Math.floor(clock.now())) * 1_000_000n + BigInt(count)).toString(16);
}
