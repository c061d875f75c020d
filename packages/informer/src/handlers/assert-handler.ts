import { KubeError } from "@typekube/core";

const ofChanges = ["add", "update", "replaced", "delete"];

/**
 * Rejects a handler without any method for changes, or with one that is not a function. Other members are ignored: a
 * handler may be an instance of a class, with inherited and additional methods.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertHandler(handler: unknown): void {
  // A class with static methods is a valid handler; a function without these methods is not.
  const given = Object(handler) as Readonly<Record<string, unknown>>;
  for (const name of [...ofChanges, "onError"]) {
    const method = given[name] ?? undefined;
    if (method !== undefined && typeof method !== "function") {
      throw new KubeError("InvalidArgument", `handler.${name}: must be a function`, {
        hint: "omit methods that the handler does not need",
      });
    }
  }
  if (!ofChanges.some((name) => typeof given[name] === "function")) {
    throw new KubeError(
      "InvalidArgument",
      "handler: must be an object with a method add, update, replaced or delete",
      {
        hint:
          typeof handler === "function"
            ? "pass { add: listener, update: listener, delete: listener }, or read informer.changes()"
            : "pass { add(object) {}, update(object, previous) {}, delete(object) {} }, or some of them",
      },
    );
  }
}
