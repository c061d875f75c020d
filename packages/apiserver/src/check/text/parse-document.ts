import { YamlProblem } from "@typekube/core/internal";
import { parseYaml } from "@typekube/core/yaml";
import * as yaml from "js-yaml";
import { readPlainDocument } from "./plain-document.js";

/** Most characters of one document. The server itself accepts 3 MiB of JSON. */
export const maxDocumentLength: number = 16 * 1024 * 1024;

/** Content of a document. */
export type ParsedDocument =
  | { readonly type: "empty" }
  | { readonly type: "problem"; readonly problem: DocumentProblem }
  | {
      readonly type: "value";
      readonly value: unknown;
      /** Keys that occur twice in a mapping, with the offset of the second. */
      readonly duplicateKeys: readonly { readonly key: string; readonly offset: number }[];
    };

/** Why a document cannot be read. */
export interface DocumentProblem {
  readonly rule: "template" | "too-large" | "yaml-syntax";
  readonly message: string;
  readonly offset: number;
  readonly hint?: string | undefined;
}

/**
 * Reads one document as kubectl does. A template that has not been rendered is distinguished from broken YAML, since its
 * author must do something else.
 */
export function parseDocument(text: string): ParsedDocument {
  if (text.length > maxDocumentLength) {
    const message = `the document has ${text.length} characters, more than ${maxDocumentLength}`;
    return { type: "problem", problem: { rule: "too-large", message, offset: 0 } };
  }
  // kubectl reads line by line and adds a break to each line.
  const whole = /[\n\r]$/.test(text) ? text : `${text}\n`;
  const plain = readPlainDocument(whole);
  if (plain !== undefined && isManifest(plain)) {
    return { type: "value", value: plain, duplicateKeys: [] };
  }
  const duplicateKeys: { key: string; offset: number }[] = [];
  try {
    const values = parseYaml(yaml, whole, {}, (key, offset) => duplicateKeys.push({ key, offset }));
    const [value] = values;
    if (value === undefined || value === null) {
      return { type: "empty" };
    }
    const template = isManifest(value) ? undefined : templateIn(text);
    return template !== undefined
      ? { type: "problem", problem: template }
      : { type: "value", value, duplicateKeys };
  } catch (error) {
    if (!(error instanceof YamlProblem)) {
      throw error;
    }
    return { type: "problem", problem: templateIn(text) ?? problemOf(error) };
  }
}

function problemOf({ message, offset, limit }: YamlProblem): DocumentProblem {
  return limit === undefined
    ? { rule: "yaml-syntax", message: `not YAML: ${message}`, offset }
    : { rule: "too-large", message, offset };
}

const templateMarks = /\{\{-?[^{}]*\}\}|\{%-?[^{}]*%\}/;

function templateIn(text: string): DocumentProblem | undefined {
  const found = templateMarks.exec(text);
  return found === null
    ? undefined
    : {
        rule: "template",
        message: "looks like a template that has not been rendered",
        offset: found.index,
        hint: "check what the renderer writes, such as helm template . | typekube check -",
      };
}

function isManifest(value: unknown): boolean {
  const { apiVersion, kind } = (value ?? {}) as { apiVersion?: unknown; kind?: unknown };
  return typeof apiVersion === "string" && typeof kind === "string";
}
