import { projectionOf } from "./projection.js";

declare const computed: unique symbol;

/** A path of `fields` that is known at run time only, from {@link computedFields}. */
export type ComputedField = string & { readonly [computed]: true };

/**
 * Returns paths for the option `fields` that the compiler cannot check, such as those from a configuration, or those of
 * a kind that is a type parameter. The type of the result has only what identifies an object; assert another one to read
 * the rest. A path that leads to no field of a built-in kind is still refused at run time.
 *
 * @param paths - names with dots between them, and other keys as `["key"]`: `spec.containers.image`.
 * @throws {KubeError} `InvalidArgument` for a text that is not a path.
 *
 * @example
 * ```ts
 * const configured = (process.env["COLUMNS"] ?? "metadata.labels").split(",");
 * const pods = client.resource(Pod, "prod").items({ fields: computedFields(configured) });
 * for await (const pod of pods) {
 *   console.log(pod.metadata.name);
 * }
 * ```
 */
export function computedFields(paths: readonly string[]): readonly ComputedField[] {
  projectionOf(paths);
  return [...paths] as ComputedField[];
}
