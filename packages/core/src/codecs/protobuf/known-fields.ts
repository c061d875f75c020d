import { KubeError } from "../../errors/kube-error.js";
import { nearestName } from "../../options/nearest-name.js";
import { readPath } from "../../projection/read-path.js";
import {
  containers,
  type FieldType,
  loadMessageType,
  type MessageType,
  messageForms,
  valueKinds,
} from "./message-type.js";

/**
 * Checks paths of `fields` against the fields of a built-in kind. Other kinds have no tables, and any path is accepted.
 *
 * @throws {KubeError} `InvalidArgument` for a path that leads to no field, and for one into a value whose fields are not
 * part of the kind.
 */
export async function assertKnownFields(
  apiVersion: string,
  kind: string,
  fields: readonly string[],
): Promise<void> {
  const type = await loadMessageType(apiVersion, kind);
  for (const field of type === undefined ? [] : fields) {
    const names = readPath(field);
    if (names.length > 1 || !typeMeta.has(names[0] ?? "")) {
      assertKnown(type, names, field, kind);
    }
  }
}

/** Fields of every object that are not part of its message. */
const typeMeta: ReadonlySet<string> = new Set(["apiVersion", "kind"]);

function assertKnown(
  root: MessageType | undefined,
  names: readonly string[],
  path: string,
  kind: string,
): void {
  let type = root;
  /** `true` when the next name is a key of a map, whose values have the type. */
  let isKey = false;
  for (const [at, name] of names.entries()) {
    if (isKey) {
      isKey = false;
      continue;
    }
    // The fields of a union are not those of its JSON.
    if (type?.jsonForm === messageForms.union) {
      return;
    }
    if (type?.jsonForm !== messageForms.plain) {
      throw new KubeError(
        "InvalidArgument",
        `"${path}": ${names[at - 1]} has no fields of its own`,
        {
          hint: "name it as a whole",
        },
      );
    }
    const field = fieldOf(type, name);
    if (field === undefined) {
      throw noSuchField(type, names.slice(0, at), name, kind);
    }
    isKey = field.container === containers.map;
    type = field.kind === valueKinds.message ? field.message : undefined;
  }
}

/** Returns a field of a message, or of one that is inlined into it. */
function fieldOf(type: MessageType, name: string): FieldType | undefined {
  for (const field of type.fields) {
    const found = field.container === containers.inline ? fieldOf(field.message, name) : field;
    if (found?.jsonName === name) {
      return found;
    }
  }
  return undefined;
}

function noSuchField(
  type: MessageType,
  before: readonly string[],
  name: string,
  kind: string,
): KubeError {
  const names = [...type.jsonNames].sort();
  const nearest = nearestName(name, names);
  const path = (last: string) => [...before, last].join(".");
  return new KubeError("InvalidArgument", `${kind} has no field ${path(name)}`, {
    hint:
      nearest === undefined
        ? `the fields there are ${names.join(", ")}`
        : `did you mean "${path(nearest)}"?`,
  });
}
