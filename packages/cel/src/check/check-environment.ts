import type { FunctionDeclaration } from "../functions/overload.js";
import type { CelType } from "../values/cel-type.js";

/** Declarations that the type checker finds by name. */
export interface CheckEnvironment {
  /** Prefix that names may leave out, as packages of protobuf; empty in Kubernetes. */
  readonly container: string;
  /** Returns the type of a variable. */
  readonly variable: (name: string) => CelType | undefined;
  /** Returns the type that a name denotes, for example int or net.IP. */
  readonly namedType: (name: string) => CelType | undefined;
  /** Returns the type of a struct's field. */
  readonly field: (typeName: string, field: string) => CelType | undefined;
  readonly function: (name: string) => FunctionDeclaration | undefined;
  /** False before Kubernetes 1.28: `1 < 1.5` did not compile. */
  readonly crossTypeComparisons: boolean;
  /** True if the checker reports nothing and leaves wrong types to the evaluation; never in Kubernetes. */
  readonly lenient: boolean;
}

/** Returns the names that a name may stand for, the most specific one first. */
export function candidateNames(container: string, name: string): readonly string[] {
  if (name.startsWith(".")) {
    return [name.slice(1)];
  }
  const names: string[] = [];
  for (
    let prefix = container;
    prefix !== "";
    prefix = prefix.slice(0, Math.max(prefix.lastIndexOf("."), 0))
  ) {
    names.push(`${prefix}.${name}`);
  }
  names.push(name);
  return names;
}
