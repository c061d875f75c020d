import { KubeError } from "@typekube/core";
import type { RequestFacts } from "../record/call.js";
import type { Externals } from "../scenario/externals.js";
import { type CallFate, connectionBroke, type OperatorProcess } from "./operator-process.js";

/** Asks what happens to a call of an external system. */
export type ExternalFate = (facts: RequestFacts) => CallFate;

/**
 * Returns the external systems as one process of an operator sees them: each call is counted, and can fail. All methods
 * return promises, as they do when a system is really outside.
 */
export function gatedExternals<X extends Externals>(
  externals: X,
  process: OperatorProcess,
  fateOf: ExternalFate,
): X {
  return Object.fromEntries(
    Object.entries(externals).map(([name, system]) => [name, gated(name, system, process, fateOf)]),
  ) as X;
}

function gated(
  name: string,
  system: object,
  process: OperatorProcess,
  fateOf: ExternalFate,
): object {
  const methods = new Map<PropertyKey, unknown>();
  return new Proxy(system, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== "function" || typeof property === "symbol") {
        return value;
      }
      let method = methods.get(property);
      if (method === undefined) {
        const facts = (args: readonly unknown[]): RequestFacts => ({
          verb: property,
          resource: name,
          name: args.filter((one) => ["number", "string"].includes(typeof one)).join(", "),
          isWrite: true,
          acceptsOldState: false,
        });
        method = (...args: unknown[]) =>
          call(
            process,
            () => fateOf(facts(args)),
            () => Reflect.apply(value, target, args),
          );
        methods.set(property, method);
      }
      return method;
    },
  });
}

/** Makes one call, as the faults of the run say. */
async function call(
  process: OperatorProcess,
  ask: () => CallFate,
  act: () => unknown,
): Promise<unknown> {
  await process.turn();
  const fate = ask();
  await fate.before;
  await process.turn();
  if (fate.instead !== undefined) {
    fate.settle("failed");
    throw fate.instead === "break"
      ? connectionBroke()
      : new KubeError("InternalError", "the external system failed");
  }
  const result = await act();
  if (fate.afterwards === "crash") {
    fate.settle("done, and the process ends");
    process.kill();
  }
  await process.turn();
  if (fate.afterwards === "break") {
    fate.settle("done, response lost");
    throw connectionBroke();
  }
  fate.settle("done");
  return result;
}
