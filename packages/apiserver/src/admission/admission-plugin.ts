import type { AdmissionScope } from "../context/admission-scope.js";
import type { ServerContext } from "../context/server-context.js";
import type { JsonObject } from "../objects/json-value.js";
import type { AdmissionAttributes } from "./attributes.js";
import type { Reinvocation } from "./reinvocation.js";

/** A mutation in progress. */
export interface Mutation extends AdmissionScope {
  readonly reinvocation: Reinvocation;
  /**
   * Reads an object that a webhook or policy has changed, and fills in defaults.
   *
   * @param unknownFields - Default: "drop".
   * @throws {StatusError} 500 for an object that can't be decoded.
   */
  read(changed: JsonObject, unknownFields?: "drop" | "refuse"): JsonObject;
}

/** A plugin whose decisions depend on objects in the server: webhooks or policies. */
export interface AdmissionPlugin {
  /** Returns `false` when the plugin has nothing to decide at present, for any request. */
  isActive(server: ServerContext): boolean;
  /**
   * Returns the object of the request, changed or not.
   *
   * @throws {StatusError} for a request that is denied.
   * @throws {PendingCall} when a webhook must be called first.
   */
  mutate(attributes: AdmissionAttributes, mutation: Mutation): JsonObject | undefined;
  /** Decides on the final object. Throws like {@link mutate}. */
  validate(attributes: AdmissionAttributes, scope: AdmissionScope): void;
}
