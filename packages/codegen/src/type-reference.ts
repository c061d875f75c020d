/** A type in the notation of the facts, parsed. */
export interface TypeReference {
  readonly pointer: boolean;
  readonly container: "list" | "map" | "one";
  /** A scalar, `any`, `bytes` or a full name: `core/v1.Pod`. */
  readonly name: string;
  /** Package and type of a full name; empty package for scalars. */
  readonly package: string;
  readonly type: string;
}

/** Parses `*core/v1.Pod`, `[]string` or `{}api/resource.Quantity`. */
export function parseType(text: string): TypeReference {
  const pointer = text.startsWith("*");
  const rest = pointer ? text.slice(1) : text;
  const container = rest.startsWith("[]") ? "list" : rest.startsWith("{}") ? "map" : "one";
  const name = container === "one" ? rest : rest.slice(2);
  if (/[*[\]{}]/.test(name)) {
    throw new Error(`type ${text} has more than one container`);
  }
  const dot = name.lastIndexOf(".");
  return {
    pointer,
    container,
    name,
    package: name.slice(0, Math.max(dot, 0)),
    type: name.slice(dot + 1),
  };
}
