import { KubeError } from "@typekube/core";
import type { Externals } from "../scenario/externals.js";
import type { Scenario } from "../scenario/scenario.js";
import { plainValue } from "./plain-value.js";

/** Use of a private field in the source of a class. */
const privateField = /\.#[\w$]/;

/** Returns whether an external system says itself what it holds. */
export function hasState(system: object | undefined): boolean {
  return typeof (system as { readonly state?: unknown } | undefined)?.state === "function";
}

/** Returns whether the class of an external system, or one that it extends, uses private fields. */
export function hasPrivateFields(system: object): boolean {
  for (
    let proto: object | null = Object.getPrototypeOf(system);
    proto !== null && proto !== Object.prototype;
    proto = Object.getPrototypeOf(proto)
  ) {
    if (privateField.test(String(proto.constructor))) {
      return true;
    }
  }
  return false;
}

/** Returns what an external system holds, as JSON with sorted names. */
export function plainState(system: object | undefined, name: string): unknown {
  try {
    const state = stateOf(system ?? {});
    const isOwn = hasState(system) && typeof state === "object" && state !== null;
    return plainValue(state, isOwn ? state : (system ?? {}), name);
  } catch (error) {
    throw error instanceof KubeError ? error : thrown(`externals: the state of ${name}`, error);
  }
}

/** Returns {@link plainState} as text: equal for equal states. */
export function externalState(system: object | undefined, name: string): string {
  return JSON.stringify(plainState(system, name));
}

/**
 * Makes the external systems of a run.
 *
 * @throws {KubeError} `InvalidArgument` for a system that is no object, or a promise of one.
 */
export function madeExternals<X extends Externals>({ externals }: Scenario<X>): X {
  const systems = Object.entries(externals ?? {}).map(([name, make]) => {
    const system: unknown = made(name, make);
    if (typeof system !== "object" || system === null || isPromise(system)) {
      throw new KubeError(
        "InvalidArgument",
        `the function of the external system ${name} must return an object at once`,
      );
    }
    return [name, system];
  });
  return Object.fromEntries(systems) as X;
}

/** Calls a function of `externals`, or a method of a system, with an error that names it. */
function named<T>(what: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw thrown(what, error);
  }
}

/** Returns the error for what code of the scenario throws. */
function thrown(what: string, error: unknown): KubeError {
  const { message } =
    error instanceof Error
      ? error
      : { message: typeof error === "string" ? error : "a value that is no error" };
  return new KubeError("InvalidArgument", `${what} throws: ${message}`, { cause: error });
}

function made(name: string, make: () => unknown): unknown {
  return named(`externals: the function of ${name}`, make);
}

function isPromise(value: unknown): boolean {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === "function";
}

function stateOf(system: object): unknown {
  const { state } = system as { readonly state?: unknown };
  if (typeof state === "function") {
    const held: unknown = named("externals: state() of an external system", () =>
      Reflect.apply(state, system, []),
    );
    if (isPromise(held)) {
      throw new KubeError("InvalidArgument", "state() of an external system returns a promise", {
        hint: "return what the system holds at once: the world is compared between two turns",
      });
    }
    return held;
  }
  return system instanceof Map || system instanceof Set ? system : { ...system };
}
