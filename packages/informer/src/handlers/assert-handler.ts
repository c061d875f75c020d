import { KubeError } from "@typekube/core";

const ofChanges = ["add", "update", "replaced", "delete"];

/**
 * Refuses a handler that could hear of nothing, or whose methods cannot be called. What else it has is its own affair: it may be an
 * object of a class, with methods that it inherits and others besides.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertHandler(handler: unknown): void {
  // A class with static methods may be a handler as well; a function without any is none.
  const given = Object(handler) as Readonly<Record<string, unknown>>;
  for (const name of [...ofChanges, "onError"]) {
    const method = given[name] ?? undefined;
    if (method !== undefined && typeof method !== "function") {
      throw new KubeError("InvalidArgument", `handler.${name}: must be a function`, {
        hint: "leave a method out that the handler does not need",
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
