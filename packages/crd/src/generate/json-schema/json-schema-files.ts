import type { KindSource } from "../source/kind-source.js";
import { toJsonSchema } from "./to-json-schema.js";

const dialect = "http://json-schema.org/draft-07/schema#";

/** Returns the JSON Schema of each kind of a module as the text of a file, by path. */
export function jsonSchemaFiles(
  place: string,
  sources: readonly KindSource[],
  mark: string,
): [path: string, text: string][] {
  return sources.map((source) => [pathOf(place, source), textOf(rootSchema(source, mark))]);
}

/**
 * Returns the schema of all kinds: it chooses the one of an object by apiVersion and kind, so that an editor needs one
 * setting for all files.
 */
export function jsonSchemaIndex(sources: readonly KindSource[], mark: string): string {
  return textOf({
    $schema: dialect,
    $comment: mark,
    allOf: sources.map((source) => ({
      if: {
        properties: { apiVersion: { const: apiVersionOf(source) }, kind: { const: source.kind } },
        required: ["apiVersion", "kind"],
      },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { $ref: pathOf(placeOf(source), source) },
    })),
  });
}

function rootSchema(source: KindSource, mark: string): object {
  const { schema, components } = source;
  const root = toJsonSchema(schema, { isClosed: components === undefined }) as {
    readonly properties?: object;
    readonly required?: readonly string[];
  };
  const required = new Set(["apiVersion", "kind", "metadata", ...(root.required ?? [])]);
  return {
    $schema: dialect,
    $comment: mark,
    ...root,
    properties: {
      ...root.properties,
      apiVersion: { type: "string", const: apiVersionOf(source) },
      kind: { type: "string", const: source.kind },
      metadata: { type: "object" },
    },
    required: [...required].sort(),
    ...(components === undefined ? {} : { definitions: definitionsOf(components) }),
  };
}

function definitionsOf(components: Readonly<Record<string, object>>): object {
  return Object.fromEntries(
    Object.entries(components).map(([name, one]) => [name, toJsonSchema(one, { isClosed: false })]),
  );
}

function placeOf({ group, version }: KindSource): string {
  return `${group === "" ? "core" : group}/${version}`;
}

function apiVersionOf({ group, version }: KindSource): string {
  return group === "" ? version : `${group}/${version}`;
}

function pathOf(place: string, { kind }: KindSource): string {
  return `${place}/${kind.toLowerCase()}.json`;
}

function textOf(schema: object): string {
  return `${JSON.stringify(schema, (_, value: unknown) => (typeof value === "bigint" ? Number(value) : value), 2)}\n`;
}
