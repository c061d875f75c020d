import type { ApiObject } from "../../objects/api-object.js";
import type { JsonObject } from "../../objects/json-value.js";

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

/** Returns a new Event about an object, without a name. */
export function eventOf(
  object: ApiObject,
  { type = "Normal", reason, message, fieldPath }: EventText,
  { component, host }: EventSource,
  now: string,
): ApiObject {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: {},
    involvedObject: involved(object, fieldPath),
    type,
    reason,
    message,
    source: { component, ...(host === undefined ? {} : { host }) },
    reportingComponent: component,
    ...(host === undefined ? {} : { reportingInstance: host }),
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
  };
}

/** Returns the reference to the object, or part of an object, that an Event is about. */
function involved(
  { apiVersion, kind, metadata }: ApiObject,
  fieldPath: string | undefined,
): JsonObject {
  const { name = "", namespace, uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    uid,
    resourceVersion,
    ...(fieldPath === undefined ? {} : { fieldPath }),
  };
}
