import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

/** Longest part of an identity that comes from the host's name: names of objects have at most 253 characters. */
const maxHostCharacters = 200;

/** Returns a unique identity that can also be the name of an object, which a coordinated election requires. */
export function newIdentity(): string {
  const host = hostname()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, maxHostCharacters);
  return `${host}${host ? "-" : ""}${randomUUID()}`;
}
