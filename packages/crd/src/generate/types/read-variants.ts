import type { StructuralSchema } from "@typekube/schema";
import { enumOf } from "./read-enum.js";
import type { Variant } from "./shape.js";

/** Variants of one type above which its type has all fields as optional, and only the comment lists the variants. */
export const maxVariants = 16;

/**
 * Returns the variants that `oneOf` and `anyOf` of an object schema describe by required and forbidden fields. Empty
 * when a branch says more than that, or for more than {@link maxVariants} combinations.
 */
export function readVariants(schema: StructuralSchema): (readonly Variant[])[] {
  const lists = [schema, ...schema.allOf].flatMap(({ oneOf, anyOf }) => [
    ...(oneOf.length > 0 ? [exclusive(oneOf.map((one) => readBranch(one, schema)))] : []),
    ...(anyOf.length > 0 ? [anyOf.map((one) => readBranch(one, schema))] : []),
  ]);
  const known = lists.filter(
    (list): list is Variant[] => list.every(isKnown) && list.every(isTelling),
  );
  const combinations = known.reduce((product, list) => product * list.length, 1);
  return combinations > maxVariants ? [] : known;
}

/** A variant, as one branch says it. */
interface Branch extends Variant {
  /** `true` when the branch says nothing but which fields are required. */
  readonly isPlain: boolean;
}

function isKnown(variant: Variant | undefined): variant is Variant {
  return variant !== undefined;
}

/** Returns whether a variant restricts anything: beside one that does not, the others say nothing. */
function isTelling({ required, absent, values }: Variant): boolean {
  return required.length + absent.length + values.size > 0;
}

const branchKeys: ReadonlySet<string> = new Set([
  "description",
  "not",
  "properties",
  "required",
  "type",
]);

function readBranch(branch: StructuralSchema, parent: StructuralSchema): Branch | undefined {
  const { source, required, not, properties } = branch;
  const absent = not === undefined ? [] : fieldsOfNot(not);
  const values = new Map<string, string>();
  for (const [name, property] of properties) {
    const text = enumOf(property);
    if (text !== undefined) {
      values.set(name, text);
    }
  }
  const isDeclared = (name: string) => parent.properties.has(name);
  const names = [...required, ...(absent ?? []), ...values.keys()];
  return absent === undefined ||
    Object.keys(source).some((key) => !branchKeys.has(key)) ||
    !names.every(isDeclared)
    ? undefined
    : { required, absent, values, isPlain: properties.size === 0 && not === undefined };
}

/** Returns the fields that `not` forbids, each alone; `undefined` when it says something else. */
function fieldsOfNot({ source, required, anyOf }: StructuralSchema): readonly string[] | undefined {
  const keys = Object.keys(source);
  if (keys.length === 1 && required.length === 1) {
    return required;
  }
  const isPlain = keys.length === 1 && anyOf.length > 0;
  const isField = (one: StructuralSchema) =>
    Object.keys(one.source).length === 1 && one.required.length === 1;
  return isPlain && anyOf.every(isField) ? anyOf.flatMap((one) => one.required) : undefined;
}

/**
 * Adds to each variant of `oneOf` the fields that would make another variant apply as well. Only a variant that says
 * nothing but which fields it requires, of which one is missing here, applies as soon as that field is present.
 */
function exclusive(branches: readonly (Branch | undefined)[]): (Variant | undefined)[] {
  return branches.map((branch) => {
    if (branch === undefined) {
      return undefined;
    }
    const decisive = branches.flatMap((other) => {
      const isPlain = other !== branch && other?.isPlain === true;
      const missing = isPlain
        ? other.required.filter((name) => !branch.required.includes(name))
        : [];
      return missing.length === 1 ? missing : [];
    });
    return { ...branch, absent: [...new Set([...branch.absent, ...decisive])] };
  });
}
