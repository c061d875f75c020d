import type { Controller } from "./controller.js";
import type { ControllerParts } from "./controller-parts.js";

/**
 * Makes a controller, or several that belong together, for one server. The signature is internal, so that the types of
 * the options, which derive from the list of makers, don't publish the parts of the server.
 */
export interface ControllerMaker {
  // biome-ignore lint/style/useShorthandFunctionType: the type itself must be published, its signature is @internal.
  (context: ControllerParts): Controller | readonly Controller[];
}
