import type { JsonObject } from "../store/json-value.js";
import type { ObjectMetadata } from "../store/stored-object.js";

/** An object that a server creates when it starts. The text `$now` stands for the time of the start. */
export interface FreshObject extends JsonObject {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ObjectMetadata;
}

/** The objects of one kind that a server creates when it starts. */
export interface FreshCollection {
  readonly apiVersion: string;
  readonly kind: string;
  readonly count: number;
  /** Returns the objects: a function, because most servers are never asked for them. */
  readonly objects: () => readonly FreshObject[];
}

/** How discovery orders a group and one of its versions, as an APIService says it. */
export interface GroupVersionPriority {
  readonly group: string;
  readonly version: string;
  readonly groupPriorityMinimum: number;
  readonly versionPriority: number;
}
