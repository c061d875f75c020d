import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { isJsonObject } from "@typekube/core/internal";

/** A text to check. */
export interface CheckText {
  /** Name in locations, such as the path of the file. */
  readonly name: string;
  /** YAML with any number of documents, or JSON. */
  readonly text: string;
}

/** A text that is read when it is checked, so that many files need little memory. It may be read twice. */
export interface CheckFile {
  /** Name in locations, such as the path of the file. */
  readonly name: string;
  read(): Promise<string>;
}

/** One source of manifests: a text, or an object of any kind. */
// With KubeObject alone, the compiler would reject all other fields of an object literal in the call.
export type CheckSource = CheckFile | CheckText | KubeObject | Readonly<Record<string, unknown>>;

/** Manifests to check: YAML or JSON as text, one source, or many. */
export type CheckInput = AsyncIterable<CheckSource> | CheckSource | Iterable<CheckSource> | string;

/** A source whose text or object is known to be one. */
export type ReadSource =
  | { readonly name: string; readonly read: () => Promise<string> }
  | { readonly name: string; readonly index: number; readonly object: unknown };

/**
 * Returns the sources of an input. Objects are all part of the source `objects`.
 *
 * @throws {KubeError} `InvalidArgument` for other values.
 */
export async function sourcesOf(input: CheckInput, what: string): Promise<readonly ReadSource[]> {
  const sources: ReadSource[] = [];
  if (typeof input === "string") {
    return [{ name: "text", read: async () => input }];
  }
  if (!isJsonObject(input) && !isIterable(input)) {
    throw new KubeError("InvalidArgument", `${what} must be a text, objects, or texts with names`);
  }
  let index = 0;
  for await (const one of isIterable(input) ? input : [input]) {
    if (isText(one)) {
      sources.push({ name: one.name, read: async () => one.text });
    } else if (isFile(one)) {
      sources.push({ name: one.name, read: () => one.read() });
    } else {
      sources.push({ name: "objects", index, object: one });
      index += 1;
    }
  }
  return sources;
}

function isIterable(input: unknown): input is AsyncIterable<CheckSource> | Iterable<CheckSource> {
  return (
    typeof input === "object" &&
    input !== null &&
    (Symbol.iterator in input || Symbol.asyncIterator in input)
  );
}

function isText(source: unknown): source is CheckText {
  const { name, text } = (source ?? {}) as Partial<CheckText>;
  return typeof name === "string" && typeof text === "string";
}

function isFile(source: unknown): source is CheckFile {
  const { name, read } = (source ?? {}) as Partial<CheckFile>;
  return typeof name === "string" && typeof read === "function";
}
