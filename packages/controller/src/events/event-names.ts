import type { Clock, Random } from "@typekube/core/internal";

/** Maximum of characters of an object's name. */
const maxNameLength = 253;
const nanosPerMs = 1_000_000n;

/** Returns a name for an event about an object. */
export type EventNames = (objectName: string) => string;

/**
 * Returns a function that names events as client-go does, by the object and the nanosecond. A clock tells milliseconds,
 * so the rest is at random, and grows from one name to the next.
 *
 * @param reporter - controller and instance: two that record at the same moment get different names.
 */
export function eventNames(reporter: string, clock: Clock, random: Random): EventNames {
  const offset = hashOf(reporter);
  let last = 0n;
  return (objectName) => {
    const rest = (offset + BigInt(Math.floor(random() * Number(nanosPerMs)))) % nanosPerMs;
    const nanos = BigInt(Math.floor(clock.now())) * nanosPerMs + rest;
    last = nanos > last ? nanos : last + 1n;
    const suffix = `.${last.toString(16)}`;
    return `${isSubdomain(objectName) ? objectName.slice(0, maxNameLength - suffix.length).replace(/[-.]+$/, "") : "event"}${suffix}`;
  };
}

/** Names such as those of RBAC objects, `system:node`, cannot be part of an event's name. */
function isSubdomain(name: string): boolean {
  return /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(name);
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): bigint {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return BigInt(hash >>> 0);
}
