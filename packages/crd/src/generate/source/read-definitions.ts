import { harmless, KubeError, readManifests } from "@typekube/core";
import type { JsonObject } from "@typekube/core/internal";
import type { KindSource, SourceProblem, SourcesRead } from "./kind-source.js";
import { isDefinition, readDefinition } from "./read-definition.js";

/** A text with manifests, and its name for messages. */
export interface DefinitionText {
  /** Path of the file, or `-` for standard input. */
  readonly name: string;
  readonly text: string;
}

/**
 * Reads the CustomResourceDefinitions of manifests: YAML with any number of documents, JSON, and lists of them. Other
 * objects are skipped and counted. A document that cannot be read is a problem, and the documents after it are read.
 */
export async function readDefinitions(texts: Iterable<DefinitionText>): Promise<SourcesRead> {
  const sources: KindSource[] = [];
  const problems: SourceProblem[] = [];
  const skipped = new Map<string, number>();
  for (const { name, text } of texts) {
    for await (const found of documentsOf(text)) {
      const place = `${name}:${found.line}`;
      if ("error" in found) {
        problems.push({ place, message: found.error });
        continue;
      }
      const { object } = found;
      if (!isDefinition(object)) {
        const kind = harmless(String(object["kind"]));
        skipped.set(kind, (skipped.get(kind) ?? 0) + 1);
        continue;
      }
      const read = readDefinition(object, place);
      sources.push(...read.sources);
      problems.push(
        ...read.problems.map((message) => ({
          place,
          message: harmless(`CustomResourceDefinition ${nameOf(object)}: ${message}`),
        })),
      );
    }
  }
  return { sources, problems, skipped, notes: [] };
}

type Document =
  | { readonly line: number; readonly object: JsonObject }
  | { readonly line: number; readonly error: string };

/** Yields the objects of a text. After an error it goes on with the next document. */
async function* documentsOf(text: string): AsyncIterable<Document> {
  const lines = text.split("\n");
  for (const part of mayFail(text) ? separated(text) : [{ line: 1, text }]) {
    try {
      for await (const { object, line } of readManifests(part.text)) {
        const start = contentLine(lines, part.line + line - 1);
        yield { line: start, object: object as unknown as JsonObject };
      }
    } catch (error) {
      yield { line: contentLine(lines, part.line), error: reasonOf(error, part) };
    }
  }
}

/** Returns the first line with content, from a line on: markers, comments and empty lines precede it. */
function contentLine(lines: readonly string[], from: number): number {
  let line = from;
  while (line < lines.length && /^\s*(?:#.*|---\s*)?$/.test(lines[line - 1] ?? "")) {
    line += 1;
  }
  return line;
}

/** Returns whether the text must be read in parts: one reader stops at the first document that is not YAML. */
function mayFail(text: string): boolean {
  return /^---/m.test(text);
}

/** Separates a text at its document markers, with the line in which each part begins. */
function separated(text: string): { readonly line: number; readonly text: string }[] {
  const parts: { line: number; text: string }[] = [];
  let line = 1;
  for (const part of text.split(/^(?=---(?:[ \t\r]|$))/m)) {
    // Consecutive JSON objects and comments stay with their document.
    parts.push({ line, text: part });
    line += part.split("\n").length - 1;
  }
  return parts;
}

/** Returns the reason of an error, with the lines of the whole text instead of those of the part. */
function reasonOf(
  error: unknown,
  { line, text }: { readonly line: number; readonly text: string },
) {
  const reason = KubeError.from(error).rawMessage.replace(
    /\(document \d+, line (\d+)/,
    (_, found: string) => `(line ${line + Number(found) - 1}`,
  );
  return /\{\{/.test(text)
    ? `${reason}; this is a template of Helm: run helm template and pass its output`
    : reason;
}

function nameOf(object: JsonObject): string {
  const { name } = (object["metadata"] ?? {}) as { readonly name?: unknown };
  return typeof name === "string" ? name : "without a name";
}
