import { failure, qualified, StatusError } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { objectKey } from "../../store/store.js";
import type { ServedResource } from "../served-resource.js";

/** Maximum number of unreadable objects named by a list error. */
const maxNamed = 100;

/**
 * Thrown for stored objects that failed to convert to the requested version. An update responds with the Status of this
 * error; reads and deletions use the functions below.
 */
export class Unreadable extends StatusError {
  readonly objects: readonly ApiObject[];
  readonly why: string;

  constructor(objects: readonly ApiObject[], why: string) {
    super(failure(500, undefined, undecodable(objects[0], why)).status);
    this.objects = objects;
    this.why = why;
  }
}

/** Runs the read or deletion of one object, and maps an unreadable object to its error. */
export async function readingOne<T>(resource: ServedResource, read: () => Promise<T>): Promise<T> {
  return read().catch((error: unknown) => {
    if (!(error instanceof Unreadable)) {
      throw error;
    }
    const [object] = error.objects;
    const message = corrupt(keyOf(resource, object), object, error.why);
    throw failure(500, "InternalError", `Internal error occurred: ${message}`, {
      causes: [{ message }],
    });
  });
}

/** Runs a read of many objects; the error names all unreadable ones. (etcd3 `aggregatedStorageError`) */
export async function readingMany<T>(resource: ServedResource, read: () => Promise<T>): Promise<T> {
  return read().catch((error: unknown) => {
    throw error instanceof Unreadable ? storageReadError(resource, error) : error;
  });
}

function storageReadError(resource: ServedResource, { objects, why }: Unreadable): StatusError {
  const { group, plural } = resource;
  const causes = objects.slice(0, maxNamed).map((object) => {
    const field = `/registry${keyOf(resource, object)}`;
    return { reason: "UnexpectedServerResponse", message: corrupt(field, object, why), field };
  });
  const more = causes.length > 1 ? ` (and ${causes.length - 1} more)` : "";
  const message = `failed to read one or more ${qualified(group, plural)} from the storage: ${causes[0]?.message}${more}`;
  const cut =
    objects.length > maxNamed
      ? [{ reason: "FieldValueTooMany", message: "too many errors, the list is truncated" }]
      : [];
  const details = { name: "list", group, kind: plural, causes: [...causes, ...cut] };
  return failure(500, "StorageReadError", message, details);
}

function corrupt(key: string, object: ApiObject | undefined, why: string): string {
  return `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${undecodable(object, why)}`;
}

function undecodable(object: ApiObject | undefined, why: string): string {
  return `object not decodable revision=${object?.metadata.resourceVersion ?? 0}: ${why}`;
}

function keyOf({ group, plural }: ServedResource, object: ApiObject | undefined): string {
  const { namespace = "", name = "" } = object?.metadata ?? {};
  return `/${group}/${plural}/${objectKey(namespace, name)}`;
}
