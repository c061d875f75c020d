import type { ObjectMetadata } from "../../objects/api-object.js";
import type { JsonObject } from "../../objects/json-value.js";

/** An object that a server creates at startup. The text `$now` stands for the startup time. */
export interface FreshObject extends JsonObject {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ObjectMetadata;
}

/** The objects of one kind that a server creates at startup. */
export interface FreshCollection {
  readonly apiVersion: string;
  readonly kind: string;
  readonly count: number;
  /** Returns the objects. Created lazily, because most servers never need them. */
  readonly objects: () => readonly FreshObject[];
}
