import { existsSync, readdirSync, readFileSync } from "node:fs";
import { corpusFolder } from "../golden-corpus.js";

const folder = `${corpusFolder}captures/`;

/** Whether recorded exchanges stand beside this checkout. */
export const hasCaptures: boolean = existsSync(folder);

if (!hasCaptures) {
  console.warn(`SKIPPED: no captures at ${folder}; tests on them do not run`);
}

/** The body of a recorded answer. */
export function capture(name: string): Buffer {
  return readFileSync(`${folder}${name}.body`);
}

/** The names of the recorded answers that a pattern chooses. */
export function captureNames(pattern: RegExp): string[] {
  return hasCaptures
    ? readdirSync(folder)
        .filter((file) => file.endsWith(".body"))
        .map((file) => file.slice(0, -".body".length))
        .filter((name) => pattern.test(name))
    : [];
}

/** What is recorded both as JSON and as protobuf: the names of the two. */
export function encodingPairs(pattern: RegExp): { json: string; protobuf: string }[] {
  const names = new Set(captureNames(pattern));
  return [...names]
    .filter((name) => name.endsWith("-json") && names.has(name.replace(/-json$/, "-pb")))
    .map((json) => ({ json, protobuf: json.replace(/-json$/, "-pb") }));
}

/** The Content-Type of a recorded answer. */
export function captureType(name: string): string {
  const head = readFileSync(`${folder}${name}.hdr`, "utf8");
  return /^content-type: *(.*)$/im.exec(head)?.[1]?.trim() ?? "";
}

/** What is recorded both as JSON and as CBOR: the names of the two. */
export function cborPairs(pattern: RegExp): { json: string; cbor: string }[] {
  const names = new Set(captureNames(pattern));
  return [...names]
    .filter((name) => name.endsWith("-json") && names.has(name.replace(/-json$/, "-cbor")))
    .map((json) => ({ json, cbor: json.replace(/-json$/, "-cbor") }))
    .filter(({ cbor }) => captureType(cbor).startsWith("application/cbor"));
}
