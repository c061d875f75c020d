import type { Controller } from "@typekube/controller";
import { isController } from "@typekube/controller/internal";
import { KubeError } from "@typekube/core";
import { object } from "@typekube/core/internal";

/** Values that an operator may return. */
export const mayReturn =
  "return what defineController() returns, or a promise that lasts as long as it works";

/** Returns whether a value is what `defineController` returns, or an array of them. */
export function isControllers(value: unknown): value is Controller | readonly Controller[] {
  return Array.isArray(value) ? value.length > 0 && value.every(isController) : isController(value);
}

/** Returns the error for what the function `operator` of a scenario returns; `undefined` for controllers, a promise or nothing. */
export function wrongReturn(value: unknown): KubeError | undefined {
  if (value === undefined || isControllers(value) || isPromise(value)) {
    return undefined;
  }
  const wrong = Array.isArray(value) ? value.find((item) => !isController(item)) : value;
  const what = !Array.isArray(value)
    ? `${described(value)}, which is no controller`
    : value.length === 0
      ? "an empty array"
      : `an array with ${described(wrong)}, which is no controller`;
  return new KubeError("InvalidArgument", `operator: it returns ${what}`, { hint: mayReturn });
}

/** Returns a value in words. Texts may be secrets. */
export function described(value: unknown): string {
  if (typeof value === "string") {
    return "a string";
  }
  if (Array.isArray(value)) {
    return "an array";
  }
  if (typeof value === "function") {
    return "a function";
  }
  return object.isValid(value) ? "an object" : String(value);
}

function isPromise(value: unknown): boolean {
  return typeof (value as { readonly then?: unknown } | null)?.then === "function";
}
