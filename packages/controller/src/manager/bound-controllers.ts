import type { ClientCore } from "@typekube/client";
import { KubeError } from "@typekube/core";
import { object } from "@typekube/core/internal";
import { type Controller, isController } from "../definition/controller.js";
import type { ClusterController } from "./manager-options.js";

/** A controller with the client of its cluster. */
export interface BoundController {
  /** Name in the manager: that of the controller, after the cluster's if it has one. */
  readonly name: string;
  readonly controller: Controller;
  readonly client: ClientCore;
}

/**
 * Binds controllers to their clusters.
 *
 * @throws {KubeError} `InvalidArgument` for two controllers with one name, and for what is no controller.
 */
export function controllersOf(
  client: ClientCore,
  given: readonly (ClusterController | Controller)[],
): BoundController[] {
  const bound = given.map((one): BoundController => {
    const isBound = object.isValid(one) && "controller" in one;
    const controller: unknown = isBound ? one.controller : one;
    if (!isController(controller)) {
      throw new KubeError("InvalidArgument", "controllers: not what defineController() returned");
    }
    return isBound
      ? { name: `${one.cluster}/${controller.name}`, controller, client: one.client }
      : { name: controller.name, controller, client };
  });
  const names = new Set<string>();
  for (const { name } of bound) {
    if (names.has(name)) {
      throw new KubeError("InvalidArgument", `two controllers have the name ${name}`, {
        hint: "give one of them another with the option name: it labels metrics and writes",
      });
    }
    names.add(name);
  }
  return bound;
}
