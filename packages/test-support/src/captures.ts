import { existsSync, readdirSync, readFileSync } from "node:fs";
import { corpusFolder } from "./golden-corpus.js";

const folder = `${corpusFolder}captures/`;

/** `true` when recorded exchanges exist beside this checkout. */
export const hasCaptures: boolean = existsSync(folder);

if (!hasCaptures) {
  console.warn(`SKIPPED: no captures at ${folder}; tests on them do not run`);
}

/** Returns the body of a recorded response. */
export function capture(name: string): Buffer {
  return readFileSync(`${folder}${name}.body`);
}

/** Returns the names of the recorded responses that match a pattern. */
export function captureNames(pattern: RegExp): string[] {
  return hasCaptures
    ? readdirSync(folder)
        .filter((file) => file.endsWith(".body"))
        .map((file) => file.slice(0, -".body".length))
        .filter((name) => pattern.test(name))
    : [];
}

/** Returns the names of responses that are recorded both as JSON and as protobuf. */
export function encodingPairs(pattern: RegExp): { json: string; protobuf: string }[] {
  const names = new Set(captureNames(pattern));
  return [...names]
    .filter((name) => name.endsWith("-json") && names.has(name.replace(/-json$/, "-pb")))
    .map((json) => ({ json, protobuf: json.replace(/-json$/, "-pb") }));
}

/** Returns the Content-Type of a recorded response. */
export function captureType(name: string): string {
  const head = readFileSync(`${folder}${name}.hdr`, "utf8");
  return /^content-type: *(.*)$/im.exec(head)?.[1]?.trim() ?? "";
}

/** Returns the names of responses that are recorded both as JSON and as CBOR. */
export function cborPairs(pattern: RegExp): { json: string; cbor: string }[] {
  const names = new Set(captureNames(pattern));
  return [...names]
    .filter((name) => name.endsWith("-json") && names.has(name.replace(/-json$/, "-cbor")))
    .map((json) => ({ json, cbor: json.replace(/-json$/, "-cbor") }))
    .filter(({ cbor }) => captureType(cbor).startsWith("application/cbor"));
}
