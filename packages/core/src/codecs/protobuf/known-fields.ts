import { KubeError } from "../../errors/kube-error.js";
import { nearestName } from "../../options/nearest-name.js";
import type { Projection } from "../../projection/projection.js";
import type { Selection } from "../../projection/selection.js";
import {
  containers,
  type FieldType,
  loadMessageType,
  type MessageType,
  messageForms,
  valueKinds,
} from "./message-type.js";

/**
 * Checks the paths of a projection against the fields of a built-in kind. Other kinds have no tables, and any path is
 * accepted.
 *
 * @throws {KubeError} `InvalidArgument` for a path that leads to no field, and for one into a value whose fields are not
 * part of the kind.
 */
export async function assertKnownFields(
  apiVersion: string,
  kind: string,
  projection: Projection,
): Promise<void> {
  const type = await loadMessageType(apiVersion, kind);
  if (type !== undefined) {
    const root = [...projection.root.fields].filter(([name]) => !typeMeta.has(name));
    assertFields(type, root, { kind, before: "" });
  }
}

/** Fields of every object that are not part of its message. */
const typeMeta: ReadonlySet<string> = new Set(["apiVersion", "kind"]);

/** A place in the objects of a kind, for errors. */
interface Place {
  readonly kind: string;
  /** Path of the place, ending with a dot; empty for the object itself. */
  readonly before: string;
}

function assertFields(
  type: MessageType,
  selected: Iterable<readonly [string, Selection]>,
  place: Place,
): void {
  for (const [name, selection] of selected) {
    const field = fieldOf(type, name);
    if (field === undefined) {
      throw noSuchField(type, name, place);
    }
    assertValue(field, selection, `${place.before}${name}`, place.kind);
  }
}

function assertValue(field: FieldType, selection: Selection, path: string, kind: string): void {
  if (selection.whole) {
    return;
  }
  const values: Iterable<readonly [string, Selection]> =
    field.container === containers.map
      ? [...selection.fields].map(([key, value]) => [`${path}[${JSON.stringify(key)}]`, value])
      : [[path, selection]];
  for (const [at, value] of values) {
    if (!value.whole) {
      const type = field.kind === valueKinds.message ? field.message : undefined;
      if (type?.jsonForm !== messageForms.plain && type?.jsonForm !== messageForms.union) {
        throw new KubeError("InvalidArgument", `${at} of ${kind} has no fields of its own`, {
          hint: `name it as a whole: "${at}"`,
        });
      }
      if (type.jsonForm === messageForms.plain) {
        assertFields(type, value.fields, { kind, before: `${at}.` });
      }
    }
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

function noSuchField(type: MessageType, name: string, { kind, before }: Place): KubeError {
  const names = [...type.jsonNames];
  const nearest = nearestName(name, names);
  return new KubeError("InvalidArgument", `${kind} has no field ${before}${name}`, {
    hint:
      nearest === undefined
        ? `the fields there are ${names.sort().join(", ")}`
        : `did you mean "${before}${nearest}"?`,
  });
}
