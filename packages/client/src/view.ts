import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import { isStatus, KubeError } from "@typekube/core";
import type { ListPart, WireWatchEvent } from "@typekube/core/internal";

/** How much of the objects a reader asks for: all of them, or their metadata alone. */
export type View = "full" | "metadata";

const metadataKind = { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1" } as const;
const metadataListKind = { ...metadataKind, kind: "PartialObjectMetadataList" } as const;

/** Whether a value is of a kind that stands for a view of others. */
export function isMetaKind(value: unknown, kind: string): boolean {
  const object = value as KubeObject | null | undefined;
  return object?.kind === kind && String(object.apiVersion).startsWith("meta.k8s.io/");
}

/** The resource as the metadata view shows it: where it lives stays, what its objects are called does not. */
export function metadataDescriptor(descriptor: ResourceDescriptor): ResourceDescriptor {
  return { ...descriptor, ...metadataKind, listKind: metadataListKind.kind };
}

/**
 * An object as a view shows it. A server without the metadata view answers with the whole object, which is cut here.
 *
 * @throws {KubeError} `Decode` for a table, which nobody asked for.
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

/** For a table that nobody asked for. */
export function tableError(): KubeError {
  return new KubeError("Decode", "expected an object, but the server returned a Table");
}

/** The events that came before a table: all, where there is none. */
export function eventsBeforeTable(events: readonly WireWatchEvent[]): readonly WireWatchEvent[] {
  const table = events.findIndex(({ object }) => isMetaKind(object, "Table"));
  return table < 0 ? events : events.slice(0, table);
}

/** A list, or a part of one, as a view shows it. */
export function viewedList<L extends ListPart>(list: L, view: View): L {
  return view === "full"
    ? list
    : { ...list, ...metadataListKind, items: list.items.map((item) => viewedObject(item, view)) };
}

/** The events of a watch as a view shows them; a table as it came. */
export function viewedEvents(
  events: readonly WireWatchEvent[],
  view: View,
): readonly WireWatchEvent[] {
  // The usual case makes nothing new: this is run for every event.
  if (view === "full") {
    return events;
  }
  return events.map((event) =>
    isMetaKind(event.object, "Table")
      ? event
      : { ...event, object: viewedObject(event.object, view) },
  );
}
