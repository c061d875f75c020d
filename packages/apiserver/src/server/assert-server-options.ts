import { KubeError } from "@typekube/core";
import type { ApiServerOptions } from "./api-server-options.js";

const numbers = ["historyLimit", "historyAgeMs", "journalLimit", "establishDelayMs"] as const;

/**
 * Rejects invalid options. With an accepted but ineffective `authorization: "rbac"` everything would be allowed, and a
 * test of roles would pass. The names of controllers are checked where the controllers are loaded.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertServerOptions(options: ApiServerOptions): void {
  const { authorization, clock, controllers, onError } = options;
  assertOneOf("authorization", authorization, ["AlwaysAllow", "RBAC"]);
  if (!isClock(clock)) {
    assertOneOf("clock", clock, ["real", "virtual"], "or a clock");
  }
  if (typeof controllers !== "object" || controllers === null) {
    assertOneOf(
      "controllers",
      controllers,
      [true, false],
      "or an object with names of controllers",
    );
  }
  if (onError !== undefined && typeof onError !== "function") {
    throw new KubeError("InvalidArgument", "onError: must be a function");
  }
  for (const name of numbers) {
    const { [name]: value = 0 } = options;
    if (!(value >= 0)) {
      throw new KubeError(
        "InvalidArgument",
        `${name} is ${value}, but must be a number of at least 0`,
      );
    }
  }
}

function assertOneOf(name: string, value: unknown, allowed: readonly unknown[], more = ""): void {
  if (value !== undefined && !allowed.includes(value)) {
    const words = allowed.map((one) => JSON.stringify(one)).join(" or ");
    throw new KubeError(
      "InvalidArgument",
      `${name} is ${JSON.stringify(value)}, but must be ${words}${more && ` ${more}`}`,
    );
  }
}

function isClock(clock: ApiServerOptions["clock"]): boolean {
  return (
    typeof clock === "object" &&
    typeof clock?.now === "function" &&
    typeof clock.schedule === "function"
  );
}
