import type { KubeError } from "@typekube/core";
import type { controllerList } from "./controller-list.js";
import type { Stage } from "./stages/stage.js";

/** One switch for each controller of a list. */
type Switches<List> = { readonly [Name in keyof List]?: boolean | undefined };

/** Controllers to run. Omitted ones don't run. */
export interface ControllerOptions extends Switches<typeof controllerList> {}

/** Options of background actors: controllers and stages. */
export interface ActorOptions {
  /** Kubernetes controllers to run with the server: `true` for all. Default: none. */
  readonly controllers?: ControllerOptions | boolean | undefined;
  /** Automatic state changes of objects: `[...runPods(), stage(...)]`. Default: none. */
  readonly stages?: readonly Stage[] | undefined;
  /**
   * Called with errors of controllers and stages that are not rejected writes, such as one thrown by a stage's
   * function. The step is retried with back-off in any case. Rethrow the error to fail a test. Default: a process
   * warning with the code `TYPEKUBE_APISERVER`, at most one a minute for each controller.
   */
  readonly onError?: ((error: KubeError) => void) | undefined;
}

/** Fills in the defaults that depend on other controllers. */
export function chosen(controllers: ControllerOptions): ControllerOptions {
  const { namespaces, storageProtection = namespaces === true } = controllers;
  return { ...controllers, storageProtection };
}

/** Returns whether a controller runs. */
export function isChosen(
  controllers: ActorOptions["controllers"],
  name: keyof ControllerOptions,
): boolean {
  return typeof controllers === "object"
    ? chosen(controllers)[name] === true
    : controllers === true;
}

/** Returns whether controllers or stages run on a server. */
export function hasActors({ controllers = false, stages = [] }: ActorOptions): boolean {
  const hasControllers =
    typeof controllers === "object" ? Object.values(controllers).includes(true) : controllers;
  return stages.length > 0 || hasControllers;
}

/**
 * Returns how a deleted namespace is emptied: at once by the delete request, step by step by the controller, or not at
 * all. See `namespaces` in {@link ControllerOptions}.
 */
export function namespaceKeeper(
  controllers: ActorOptions["controllers"],
): "controller" | "delete" | "nobody" {
  if (typeof controllers === "object" && controllers.namespaces === false) {
    return "nobody";
  }
  return isChosen(controllers, "namespaces") ? "controller" : "delete";
}
