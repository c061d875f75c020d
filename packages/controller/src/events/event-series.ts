import type { KubeObject } from "@typekube/api";
import { microTime } from "@typekube/core";
import { type Occurrence, referenceKey } from "./occurrence.js";

/** An event, the number of times that it occurred, and what the server knows of it. */
export interface EventSeries {
  readonly key: string;
  readonly name: string;
  readonly namespace: string;
  readonly first: Occurrence;
  count: number;
  note: string;
  /** Milliseconds since the epoch. */
  lastAt: number;
  /** State of the last write; a count of 0 before the first one. */
  written: { readonly count: number; readonly note: string; readonly at: number };
  /** `true` while a write waits in the queue. */
  isQueued: boolean;
}

/** Returns what makes two occurrences the same event. (client-go `event_broadcaster.go` getKey, without resourceVersion) */
export function seriesKey(occurrence: Occurrence): string {
  const { type, action, reason, regarding, related, note, separateNotes } = occurrence;
  const places = `${referenceKey(regarding)} ${referenceKey(related)}`;
  return [type, action, reason, places, separateNotes ? note : ""].join("\n");
}

/** Namespace of events about cluster-wide objects. (client-go `event_recorder.go` makeEvent) */
const clusterWideNamespace = "default";

/** Begins a series. */
export function beginSeries(key: string, name: string, first: Occurrence): EventSeries {
  return {
    key,
    name,
    namespace: first.regarding.namespace ?? clusterWideNamespace,
    first,
    count: 1,
    note: first.note,
    lastAt: first.at,
    written: { count: 0, note: first.note, at: Number.NEGATIVE_INFINITY },
    isQueued: false,
  };
}

/** Returns the field `series` of an event that occurred more than once. */
export function seriesField({ count, lastAt }: EventSeries): object {
  return count < 2 ? {} : { series: { count, lastObservedTime: microTime(lastAt) } };
}

/** Returns a series as an event of events.k8s.io. */
export function eventOf(
  series: EventSeries,
  reporter: { readonly controller: string; readonly instance: string },
): KubeObject {
  const { name, namespace, first, note } = series;
  const event = {
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: { name, namespace },
    eventTime: microTime(first.at),
    type: first.type,
    reason: first.reason,
    action: first.action,
    note,
    regarding: first.regarding,
    ...(first.related === undefined ? {} : { related: first.related }),
    reportingController: reporter.controller,
    reportingInstance: reporter.instance,
    ...seriesField(series),
  };
  return event;
}
