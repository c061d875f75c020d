import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import { isStatus, KubeError } from "@typekube/core";
import type { ListPart, WireWatchEvent } from "@typekube/core/internal";

/** The part of the objects that a reader requests: everything, or the metadata only. */
export type View = "full" | "metadata";

const metadataKind = { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1" } as const;
const metadataListKind = { ...metadataKind, kind: "PartialObjectMetadataList" } as const;

/** Returns true for a value of a kind that represents a view of other objects. */
export function isMetaKind(value: unknown, kind: string): boolean {
  const object = value as KubeObject | null | undefined;
  return object?.kind === kind && String(object.apiVersion).startsWith("meta.k8s.io/");
}

/** Returns the descriptor of the metadata view: the path stays the same, the kind of the objects does not. */
export function metadataDescriptor(descriptor: ResourceDescriptor): ResourceDescriptor {
  return { ...descriptor, ...metadataKind, listKind: metadataListKind.kind };
}

/**
 * Reduces an object to a view. A server without the metadata view responds with the whole object, which is cut here.
 *
 * @throws {KubeError} `Decode` for a table, which was not requested.
 */
export function viewedObject<T>(value: T, view: View): KubeObject | T {
  if (isMetaKind(value, "Table")) {
    throw tableError();
  }
  if (view === "full" || isStatus(value) || isMetaKind(value, metadataKind.kind)) {
    return value;
  }
  const { metadata = {} } = (value ?? {}) as KubeObject;
  return { ...metadataKind, metadata };
}

/** Builds the error for a table that was not requested. */
export function tableError(): KubeError {
  return new KubeError("Decode", "expected an object, but the server returned a Table");
}

/** Returns the events before a table; all events when there is no table. */
export function eventsBeforeTable(events: readonly WireWatchEvent[]): readonly WireWatchEvent[] {
  const table = events.findIndex(({ object }) => isMetaKind(object, "Table"));
  return table < 0 ? events : events.slice(0, table);
}

/** Reduces a list, or a part of one, to a view. */
export function viewedList<L extends ListPart>(list: L, view: View): L {
  return view === "full"
    ? list
    : { ...list, ...metadataListKind, items: list.items.map((item) => viewedObject(item, view)) };
}

/** Reduces the events of a watch to a view; a table is passed on unchanged. */
export function viewedEvents(
  events: readonly WireWatchEvent[],
  view: View,
): readonly WireWatchEvent[] {
  // The usual case allocates nothing: this runs for every event.
  if (view === "full") {
    return events;
  }
  return events.map((event) =>
    isMetaKind(event.object, "Table")
      ? event
      : { ...event, object: viewedObject(event.object, view) },
  );
}
