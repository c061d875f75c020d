import type { Write } from "../../context/write.js";
import { cause } from "../../errors/field-errors.js";
import { invalid } from "../../errors/status-errors.js";
import type { ObjectMetadata } from "../../objects/api-object.js";
import { nameSuffix } from "../../objects/random.js";
import { objectKey } from "../../store/store.js";

/**
 * Returns the name of a new object: the given one, or a free one that begins with `generateName`.
 *
 * @throws {StatusError} 422 without both.
 */
export function chooseName(
  { server, request }: Write,
  { name = "", generateName = "" }: ObjectMetadata,
): string {
  const { resource, namespace } = request;
  if (name !== "") {
    return name;
  }
  if (generateName === "") {
    throw invalid(resource, "", [
      cause.required("metadata.name", "name or generateName is required"),
    ]);
  }
  const collection = server.store.collection(resource.storage);
  const attempts = Array.from(
    { length: 8 },
    () => `${generateName.slice(0, 58)}${nameSuffix(server.random)}`,
  );
  return (
    attempts.find((attempt) => collection.get(objectKey(namespace, attempt)) === undefined) ?? ""
  );
}
