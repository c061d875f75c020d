import { CelFailure, CelList, CelMap, type CelValue } from "@typekube/cel";
import { PatchObject } from "../expressions/patch-types.js";

/**
 * Returns the objects in a value whose type is not named by their path: the field `spec` of `Object` must be an
 * `Object.spec`. Lists and maps between them add nothing to the path. (k8s.io/apiserver `CheckTypeNamesMatchFieldPathNames`)
 */
export function typeNameProblems(value: CelValue, path: string): readonly string[] {
  if (value instanceof PatchObject) {
    const { name } = value.type;
    const own =
      name === path
        ? []
        : [
            `unexpected type name ${JSON.stringify(name)}, expected ${JSON.stringify(path)}, which matches field name path from root Object type`,
          ];
    return [
      ...own,
      ...Array.from(value.fields, ([field, part]) =>
        typeNameProblems(part, `${path}.${field}`),
      ).flat(),
    ];
  }
  if (value instanceof CelList) {
    return Array.from(value, (item) => typeNameProblems(item, path)).flat();
  }
  return value instanceof CelMap
    ? Array.from(value.keys(), (key) => {
        const part = value.find(key);
        return part === undefined || part instanceof CelFailure ? [] : typeNameProblems(part, path);
      }).flat()
    : [];
}
