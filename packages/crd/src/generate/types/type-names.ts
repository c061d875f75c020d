import { escapedPart, kindIdentifier, pascalCase } from "../text/identifiers.js";
import { type Declaration, itemPart, valuePart } from "./shape.js";

/**
 * Names the declarations of a module by their paths: `spec.list[]` of Widget is `WidgetSpecListItem`. Where the paths of
 * several declarations have one name in PascalCase, the first path keeps it, and the others have names with underscores:
 * no declaration of another name has an influence on them.
 *
 * @param taken - names that are in use already; those of the declarations are added.
 */
export function nameDeclarations(
  declarations: readonly Declaration[],
  taken: Set<string>,
): ReadonlyMap<Declaration, string> {
  const names = new Map<Declaration, string>();
  for (const declaration of inOrder(declarations)) {
    names.set(declaration, claimName(candidates(declaration.path), taken));
  }
  return names;
}

/** Takes the first name that is free; if none is, the last one with underscores at its end. */
export function claimName(wanted: readonly string[], taken: Set<string>): string {
  let name = wanted.find((one) => !taken.has(one)) ?? wanted.at(-1) ?? "_";
  while (taken.has(name)) {
    name += "_";
  }
  taken.add(name);
  return name;
}

function candidates(path: readonly string[]): string[] {
  const [kind = "", ...parts] = path;
  const start = kindIdentifier(kind.replace(/[^A-Za-z0-9-]/g, "-"));
  const words = parts.map((part) => markNames.get(part) ?? pascalCase(part));
  const escaped = [start, ...parts.map((part) => markNames.get(part) ?? escapedPart(part))].join(
    "_",
  );
  const isNamed = words.every((word) => word !== "");
  return isNamed ? [`${start}${words.join("")}`, escaped] : [escaped];
}

const markNames: ReadonlyMap<string, string> = new Map([
  [itemPart, "Item"],
  [valuePart, "Value"],
]);

/** Returns declarations in the order in which they take names: camelCase paths first, then short ones. */
function inOrder(declarations: readonly Declaration[]): Declaration[] {
  return declarations
    .map((declaration) => ({
      declaration,
      odd: declaration.path.slice(1).filter(isOdd).length,
      length: declaration.path.length,
      key: JSON.stringify(declaration.path),
    }))
    .sort((a, b) => a.odd - b.odd || a.length - b.length || (a.key < b.key ? -1 : 1))
    .map(({ declaration }) => declaration);
}

/** Returns whether a part of a path is neither in camelCase nor a mark. */
function isOdd(part: string): boolean {
  return !markNames.has(part) && !/^[a-z][A-Za-z0-9]*$/.test(part);
}
