import type { Write } from "../../context/write.js";
import type { ApiObject, ObjectMetadata } from "../../objects/api-object.js";
import {
  getPath,
  isJsonObject,
  type JsonObject,
  jsonEqual,
  omitKeys,
} from "../../objects/json-value.js";
import { assertKind } from "../../request/assert-kind.js";
import { assertSameNamespace } from "../write/update-preconditions.js";
import { type Provenance, readFields } from "./read-fields.js";

/** Validates kind, namespace and fields of a body. */
export function admit(write: Write, body: JsonObject, provenance: Provenance = {}): ApiObject {
  const { resource, namespace } = write.request;
  const { apiVersion, kind } = resource.descriptor;
  const { decoder } = resource.strategy;
  decoder?.assertKind(body, write.patch, provenance.json);
  assertKind(body, { apiVersion, kind }, write.server.registry, provenance.refuse);
  const whole = { ...body, apiVersion, kind };
  const object = readFields(whole, write, decoder, provenance);
  const metadata = withoutDoubleOwners(
    isJsonObject(object["metadata"]) ? object["metadata"] : {},
    write,
  );
  assertSameNamespace({ metadata }, namespace);
  return {
    kind,
    apiVersion,
    ...object,
    metadata:
      namespace === "" ? omitKeys(metadata as JsonObject, "namespace") : { ...metadata, namespace },
  };
}

/** Removes identical owner references, with a warning to the client. */
function withoutDoubleOwners(
  metadata: ObjectMetadata,
  { warnings, patch }: Pick<Write, "patch" | "warnings">,
): ObjectMetadata {
  const { ownerReferences } = metadata;
  if (!Array.isArray(ownerReferences) || ownerReferences.length < 2) {
    return metadata;
  }
  const isFirst = (owner: unknown, at: number) =>
    ownerReferences.findIndex((one) => jsonEqual(one, owner)) === at;
  const kept = ownerReferences.filter(isFirst);
  if (kept.length === ownerReferences.length) {
    return metadata;
  }
  const doubles = ownerReferences.filter((owner, at) => !isFirst(owner, at));
  const uids = [...new Set(doubles.map((owner) => String(getPath(owner, "uid"))))].join(", ");
  const when = patch ? " after mutating admission happens" : "";
  warnings.push(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids}`,
  );
  return { ...metadata, ownerReferences: kept };
}
