import type { ResourceDescriptor } from "@typekube/api";
import { mediaTypes } from "@typekube/core";
import type { Encoding } from "./options.js";

/**
 * What a client has learned about encodings. A resource whose objects have a field that the built-in tables lack is
 * read as JSON from then on, so that nobody sees an object with a hole.
 */
export class NegotiationMemory {
  readonly #jsonOnly = new Set<string>();

  /** Holds a resource to JSON for the life of the client. */
  holdToJson(descriptor: ResourceDescriptor): void {
    this.#jsonOnly.add(key(descriptor));
  }

  /** The Accept header for reading a resource; JSON is always in it. */
  accept(descriptor: ResourceDescriptor, encoding: Encoding, many: boolean): string {
    return this.#readsProtobuf(descriptor, encoding, many)
      ? `${mediaTypes.protobuf}, ${mediaTypes.json}`
      : mediaTypes.json;
  }

  #readsProtobuf(descriptor: ResourceDescriptor, encoding: Encoding, many: boolean): boolean {
    if (!descriptor.protobuf || this.#jsonOnly.has(key(descriptor))) {
      return false;
    }
    return encoding === "protobuf" || (encoding === "auto" && many);
  }
}

function key({ apiVersion, plural }: ResourceDescriptor): string {
  return `${apiVersion}/${plural}`;
}

/** Raised inside a decoding to give it up; never leaves the client. */
export class UnknownFieldSignal extends Error {
  constructor(message: string, fieldNumber: number) {
    super(`${message} has the unknown field ${fieldNumber}`);
  }
}

/** Gives up a decoding that would lose a field. */
export function raiseUnknownField(message: string, fieldNumber: number): never {
  throw new UnknownFieldSignal(message, fieldNumber);
}
