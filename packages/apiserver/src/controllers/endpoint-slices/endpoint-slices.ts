import type { ApiObject } from "../../objects/api-object.js";
import { jsonEqual, omitKeys } from "../../objects/json-value.js";
import { isGoing } from "../../objects/owner-references.js";
import { specOf } from "../../objects/parts.js";
import { selectsByMap } from "../../objects/selects.js";
import { timestamp } from "../../objects/timestamp.js";
import type { StoreEvent } from "../../store/history.js";
import { splitKey } from "../pods/owned-pods.js";
import type { Controller, Reconciled } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { endpointSliceOf, hasEndpoint, serviceNameLabel } from "./endpoint-slice.js";

const sliceStorage = "endpointslices.discovery.k8s.io";

/** Maintains one EndpointSlice with the pods of each Service that has a selector; IPv4 only. */
export function createEndpointSliceController(context: ControllerParts): Controller {
  return {
    name: "endpoint-slices",
    follows: ["services", "pods", sliceStorage],
    keysOf: (event, storage) => keysOf(context, event, storage),
    reconcile: (key) => reconcile(context, key),
  };
}

function* keysOf(
  { writer }: ControllerParts,
  { key, namespace, object, previous, type }: StoreEvent,
  storage: string,
): Iterable<string> {
  switch (storage) {
    case "services":
      yield key;
      break;
    case sliceStorage: {
      const name = object.metadata.labels?.[serviceNameLabel];
      if (type === "DELETED" && name !== undefined) {
        yield `${namespace}/${name}`;
      }
      break;
    }
    default:
      for (const service of writer.list("services", namespace)) {
        const { selector } = specOf(service);
        if ([object, previous].some((pod) => pod !== undefined && selectsByMap(selector, pod))) {
          yield `${namespace}/${service.metadata.name}`;
        }
      }
  }
}

function reconcile({ server, index, writer }: ControllerParts, key: string): Reconciled {
  const service = writer.get("services", ...splitKey(key));
  if (service === undefined || isGoing(service)) {
    return undefined;
  }
  const { selector, type } = specOf(service);
  if (selector === undefined || type === "ExternalName") {
    return undefined;
  }
  const { namespace = "", uid = "" } = service.metadata;
  const pods = writer
    .list("pods", namespace)
    .filter((pod) => selectsByMap(selector, pod) && hasEndpoint(pod));
  const slice = endpointSliceOf(service, pods, timestamp(server.clock));
  const [before] = index.ownedIn(sliceStorage, uid);
  if (before === undefined) {
    writer.create(sliceStorage, slice);
  } else if (isChanged(before, slice)) {
    const annotations = { ...before.metadata.annotations, ...slice.metadata.annotations };
    const metadata = { ...before.metadata, annotations };
    writer.update(sliceStorage, {
      ...before,
      ...omitKeys(slice, "metadata"),
      metadata,
    } as ApiObject);
  }
  return undefined;
}

function isChanged(before: ApiObject, slice: ApiObject): boolean {
  return ["endpoints", "ports"].some((field) => !jsonEqual(before[field] ?? [], slice[field]));
}
