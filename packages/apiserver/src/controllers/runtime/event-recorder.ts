import type { Clock } from "@typekube/core/internal";
import type { ServerContext } from "../../context/server-context.js";
import { StatusError } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import type { JsonObject } from "../../objects/json-value.js";
import { timestamp } from "../../objects/timestamp.js";
import type { ObjectWriter } from "./object-writer.js";

const storage = "events";

/** Number of Events remembered for counting repetitions: `maxLruCacheEntries` of client-go. */
const maxKnownEvents = 4_096;

/** The content of an Event. */
export interface EventText {
  /** Default "Normal". */
  readonly type?: "Normal" | "Warning" | undefined;
  /** CamelCase word, such as "SuccessfulCreate". */
  readonly reason: string;
  /** Sentence for people. */
  readonly message: string;
  /** The part of the object that the Event is about, such as "spec.containers{main}". */
  readonly fieldPath?: string | undefined;
}

/** Source of an Event. */
export interface EventSource {
  /** Name of the component that records the Event, such as `kubelet`. */
  readonly component: string;
  /** Node of the component. Default: none. */
  readonly host?: string | undefined;
}

/** Records Events about objects, like client-go's recorder: a repeated Event increases the count of the first. */
export interface EventRecorder {
  record(object: ApiObject, text: EventText, source: EventSource): void;
}

/**
 * Creates the recorder of one server. The writer must be prepared for `events`. Like in a cluster, an Event that the
 * server rejects is dropped, for example in a terminating namespace or above a quota.
 */
export function createEventRecorder(
  { clock }: Pick<ServerContext, "clock">,
  writer: ObjectWriter,
): EventRecorder {
  /** Names of recorded Events by identity; the oldest entry is evicted first. */
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
    const { component, host } = source;
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
      source: { component, ...(host === undefined ? {} : { host }) },
      reportingComponent: component,
      ...(host === undefined ? {} : { reportingInstance: host }),
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

/**
 * Returns the time as in client-go's Event names: nanoseconds in hexadecimal. The count makes names of the same time
 * unique.
 */
function nanoseconds(clock: Clock, count: number): string {
  return (BigInt(Math.floor(clock.now())) * 1_000_000n + BigInt(count)).toString(16);
}
