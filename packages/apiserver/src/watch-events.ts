import { codecs, type WireWatchEvent } from "@typekube/core";
import type { StoreEvent } from "./history.js";
import { metadataOnly, type ResponseFormat } from "./negotiation.js";
import { asVersion } from "./read-objects.js";
import type { ObjectFilter } from "./selectors.js";
import type { ServedResource } from "./served-resource.js";
import { withVersion } from "./store.js";
import type { ApiObject } from "./stored-object.js";
import { writeYaml } from "./yaml.js";

/** How one watch sees an event: objects that enter its selection are added, those that leave it are deleted. */
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
  // What left the selection is told in its last state that was inside, at the version of the event.
  return { type: "DELETED", object: type === "DELETED" ? object : withVersion(previous, revision) };
}

/** The bookmark of a resource: nothing but its kind and a version. */
export function bookmark(
  { descriptor }: ServedResource,
  revision: bigint,
  initialEventsEnd: boolean,
): WireWatchEvent {
  const metadata = {
    resourceVersion: String(revision),
    ...(initialEventsEnd ? { annotations: { "k8s.io/initial-events-end": "true" } } : {}),
  };
  return {
    type: "BOOKMARK",
    object: { kind: descriptor.kind, apiVersion: descriptor.apiVersion, metadata },
  };
}

const encoded = new WeakMap<object, Map<string, Promise<Uint8Array>>>();

/** Encodes an event with its framing. The same event for many watches is encoded once. */
export function encodeEvent(
  event: WireWatchEvent,
  format: ResponseFormat,
  resource: ServedResource,
): Promise<Uint8Array> {
  const { object, type } = event;
  if (typeof object !== "object" || object === null) {
    return encode(event, format);
  }
  const key = `${format.encoding} ${format.view} ${resource.descriptor.apiVersion} ${type}`;
  let known = encoded.get(object);
  if (known === undefined) {
    known = new Map();
    encoded.set(object, known);
  }
  let bytes = known.get(key);
  if (bytes === undefined) {
    bytes = encode({ type, object: shown(object, type, format, resource) }, format);
    known.set(key, bytes);
  }
  return bytes;
}

function shown(
  object: object,
  type: string,
  { view }: ResponseFormat,
  resource: ServedResource,
): object {
  if (type === "ERROR") {
    return object;
  }
  return view === "metadata"
    ? metadataOnly(object as ApiObject)
    : asVersion(object as ApiObject, resource);
}

async function encode(event: WireWatchEvent, { encoding }: ResponseFormat): Promise<Uint8Array> {
  if (encoding === "yaml") {
    return Buffer.concat([writeYaml(event), Buffer.from("---\n")]);
  }
  return codecs[encoding].encodeWatchEvent(event);
}
