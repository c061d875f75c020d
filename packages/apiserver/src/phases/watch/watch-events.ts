import { codecs, type WireWatchEvent } from "@typekube/core/internal";
import type { ServerContext } from "../../context/server-context.js";
import { type ApiObject, withVersion } from "../../objects/api-object.js";
import type { JsonObject } from "../../objects/json-value.js";
import type { ResourceRequest } from "../../request/request-info.js";
import type { ResponseFormat } from "../../request/response-format.js";
import type { ObjectFilter } from "../../request/selectors.js";
import type { ServedResource } from "../../resources/served-resource.js";
import { asVersion } from "../../resources/versions/object-versions.js";
import { metadataOnly } from "../../response/metadata-view.js";
import { protobufForm } from "../../response/protobuf-form.js";
import { tableOf } from "../../response/table/table-of.js";
import type { StoreEvent } from "../../store/history.js";

/**
 * Maps a store event to the selection of a watch: objects that enter the selection become ADDED, objects that leave it
 * DELETED.
 */
export function seenThrough(
  { type, object, previous, revision }: StoreEvent,
  filter: ObjectFilter,
): WireWatchEvent | undefined {
  if (filter.all) {
    return { type, object };
  }
  const before = previous !== undefined && filter.matches(previous);
  const now = type !== "DELETED" && filter.matches(object);
  if (now) {
    return { type: before ? "MODIFIED" : "ADDED", object };
  }
  if (!before) {
    return undefined;
  }
  // An object that left the selection is sent in its last selected state, with the event's resourceVersion.
  return { type: "DELETED", object: type === "DELETED" ? object : withVersion(previous, revision) };
}

const encoded = new WeakMap<object, Map<string, Promise<Uint8Array>>>();

/**
 * Encodes an event with its framing. An event for many watches is encoded once per encoding.
 *
 * @param table - creates the table of an object, for a watch of tables. Tables are not shared between watches: only the
 * first event contains the columns, and ages change.
 */
export function encodeEvent(
  event: WireWatchEvent,
  format: ResponseFormat,
  resource: ServedResource,
  table: (object: JsonObject) => JsonObject,
): Promise<Uint8Array> {
  const { object, type } = event;
  if (typeof object !== "object" || object === null || type === "ERROR") {
    return encode(event, format);
  }
  const { encoding, view, viewVersion } = format;
  if (view === "table") {
    return encode({ type, object: table(shownIn(event, resource)) }, format);
  }
  // The schema of a custom resource may change; an encoding made with the old schema must not be reused.
  const source = resource.defined === undefined ? object : shownIn(event, resource);
  const key = `${encoding} ${view} ${viewVersion} ${resource.descriptor.apiVersion} ${type}`;
  let known = encoded.get(source);
  if (known === undefined) {
    known = new Map();
    encoded.set(source, known);
  }
  let bytes = known.get(key);
  if (bytes === undefined) {
    const shown =
      view === "full" ? shownIn(event, resource) : metadataOnly(source as ApiObject, viewVersion);
    bytes = encode({ type, object: shown }, format);
    known.set(key, bytes);
  }
  return bytes;
}

/**
 * Returns the object of an event in the watch's version. A bookmark is not an instance of the kind, so the schema does
 * not apply to it.
 */
function shownIn({ type, object }: WireWatchEvent, resource: ServedResource): ApiObject {
  return resource.defined !== undefined && type === "BOOKMARK"
    ? (object as ApiObject)
    : asVersion(object as ApiObject, resource);
}

async function encode(event: WireWatchEvent, { encoding }: ResponseFormat): Promise<Uint8Array> {
  const { object } = event;
  return codecs[encoding].encodeWatchEvent(
    encoding === "protobuf" ? { ...event, object: protobufForm(object as JsonObject) } : event,
  );
}

/** Creates the tables for one watch: only the first contains column definitions. */
export function tablesOfWatch(
  request: ResourceRequest,
  server: ServerContext,
  tableVersion: ResponseFormat["viewVersion"],
): (object: JsonObject) => JsonObject {
  let isFirst = true;
  return (object) => {
    const table = tableOf(object, request, server, tableVersion);
    const shown = isFirst ? table : { ...table, columnDefinitions: null };
    isFirst = false;
    return shown;
  };
}
