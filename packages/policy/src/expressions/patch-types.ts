import {
  CelFailure,
  CelObject,
  type CelResult,
  type CelType,
  type CelValue,
  dynType,
  stringType,
} from "@typekube/cel";
import { isEqual, structType } from "@typekube/cel/internal";

/** Type of the whole object in mutations; the types of its parts are named by their paths, `Object.spec.template`. */
const objectTypeName = "Object";
/** Type of one operation of a JSON Patch. */
export const jsonPatchType: CelType = structType("JSONPatch");
/** Type of an apply configuration. */
export const applyConfigurationType: CelType = structType(objectTypeName);

const textFields: ReadonlySet<string> = new Set(["from", "op", "path"]);

/** An object that a mutation creates: `Object{…}`, a part of it, or `JSONPatch{…}`. */
export class PatchObject extends CelObject {
  override readonly type: CelType;
  /** Values by field. */
  readonly fields: ReadonlyMap<string, CelValue>;

  constructor(type: CelType, fields: ReadonlyMap<string, CelValue>) {
    super();
    this.type = type;
    this.fields = fields;
  }

  override get size(): number {
    return this.fields.size;
  }

  override get isZero(): boolean {
    return this.fields.size === 0 && this.type.name !== jsonPatchType.name;
  }

  override field(name: string): CelValue | undefined {
    return this.fields.get(name);
  }

  override fieldNames(): Iterable<string> {
    return this.fields.keys();
  }

  override equals(other: CelValue): boolean {
    return (
      other instanceof PatchObject &&
      other.type.name === this.type.name &&
      other.fields.size === this.fields.size &&
      [...this.fields].every(([name, value]) => {
        const theirs = other.fields.get(name);
        return theirs !== undefined && isEqual(value, theirs);
      })
    );
  }
}

const objectTypes = new Map<string, CelType>();

/** Returns the type that a mutation names, `undefined` for any other name. */
export function patchType(name: string): CelType | undefined {
  if (name === jsonPatchType.name) {
    return jsonPatchType;
  }
  if (name !== objectTypeName && !name.startsWith(`${objectTypeName}.`)) {
    return undefined;
  }
  const known = objectTypes.get(name) ?? structType(name);
  objectTypes.set(name, known);
  return known;
}

/** Returns the type of a field of such a type: objects have any field. */
export function patchFieldType(typeName: string, field: string): CelType | undefined {
  if (typeName !== jsonPatchType.name) {
    return patchType(typeName) === undefined ? undefined : dynType;
  }
  return textFields.has(field) ? stringType : field === "value" ? dynType : undefined;
}

/** Creates an object of such a type. */
export function createPatchObject(type: CelType, fields: ReadonlyMap<string, CelValue>): CelResult {
  return patchType(type.name) === undefined
    ? new CelFailure(`policies cannot create an object of type ${type.name}`)
    : new PatchObject(type, fields);
}
