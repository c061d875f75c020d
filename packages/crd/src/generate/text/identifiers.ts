/** Words that no type or constant of a module may have as its name. */
const reserved: ReadonlySet<string> = new Set(
  (
    "any as async await bigint boolean break case catch class const continue debugger declare default delete do " +
    "else enum eval export extends false finally for function if implements import in infer instanceof interface " +
    "is keyof let module namespace never new null number object of package private protected public readonly " +
    "require return satisfies static string super switch symbol this throw true try type typeof undefined unique " +
    "unknown var void while with yield arguments global"
  ).split(" "),
);

/** Returns a kind as an identifier: dashes become underscores, and reserved words get one at the end. */
export function kindIdentifier(kind: string): string {
  const name = kind.replaceAll("-", "_");
  return reserved.has(name) ? `${name}_` : name;
}

/** Returns a part of a path in PascalCase: `foo-bar` becomes `FooBar`. */
export function pascalCase(part: string): string {
  return part
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
}

/** Returns a part of a path as letters, digits and `$` codes, different for different parts. */
export function escapedPart(part: string): string {
  return part.replace(/[^A-Za-z0-9]/g, (char) => `$${char.charCodeAt(0).toString(16)}`);
}
