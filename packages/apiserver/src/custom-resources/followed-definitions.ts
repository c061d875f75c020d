import type { ServerContext } from "../context/server-context.js";
import type { ApiObject } from "../objects/api-object.js";
import { definitionStorage } from "../resources/definition.js";
import type { Collection } from "../store/collection.js";
import type { DefinitionOptions } from "./definition-options.js";
import { conditionOf } from "./definition-status.js";

/** The definitions of one server and what is known about them, by name. */
export interface FollowedDefinitions {
  readonly server: ServerContext;
  readonly options: DefinitionOptions;
  /** Called after the served group-versions changed. */
  readonly publish: () => void;
  readonly stored: Collection;
  /** Definitions to process. */
  readonly changed: Set<string>;
  /** The state of each definition that is currently served. */
  readonly served: Map<string, ApiObject>;
  /** Deleted definitions whose objects are being deleted. */
  readonly emptying: Set<string>;
  /** Definitions that wait to be established; the function cancels the wait. */
  readonly waiting: Map<string, () => void>;
}

/** Returns the definitions of a server: those of a forked server are already served, others are yet to be processed. */
export function createFollowedDefinitions(
  server: ServerContext,
  options: DefinitionOptions,
  publish: () => void,
): FollowedDefinitions {
  const stored = server.store.collection(definitionStorage);
  const changed = new Set<string>();
  const served = new Map<string, ApiObject>();
  for (const [name, object] of stored.entries("")) {
    if (conditionOf(object, "Established")?.["status"] === "True") {
      served.set(name, object);
    } else {
      changed.add(name);
    }
  }
  return {
    server,
    options,
    publish,
    stored,
    changed,
    served,
    emptying: new Set(),
    waiting: new Map(),
  };
}
