import { KubeError } from "@typekube/core";
import type { Externals } from "../scenario/scenario.js";
import type { RequestFacts } from "./call.js";
import { type CallFate, connectionBroke, type OperatorProcess } from "./operator-process.js";

/** Asks what happens to a call of an external system. */
export type ExternalFate = (facts: RequestFacts) => CallFate;

/** Returns the external systems as one process of an operator sees them: each call is counted, and can fail. */
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

/** Makes one call. A method that returns no promise still does not, unless its process ends. */
function call(process: OperatorProcess, ask: () => CallFate, act: () => unknown): unknown {
  if (!process.isRunning) {
    return process.turn().then(() => call(process, ask, act));
  }
  const fate = ask();
  if (fate.before !== undefined || !process.isRunning) {
    return Promise.resolve(fate.before)
      .then(() => process.turn())
      .then(() => finish(process, fate, act));
  }
  return finish(process, fate, act);
}

function finish(process: OperatorProcess, fate: CallFate, act: () => unknown): unknown {
  if (fate.instead !== undefined) {
    fate.settle("failed");
    throw fate.instead === "break"
      ? connectionBroke()
      : new KubeError("InternalError", "the external system failed");
  }
  const result = act();
  if (fate.afterwards === undefined) {
    fate.settle("done");
    return result;
  }
  const after = () => {
    if (fate.afterwards === "crash") {
      fate.settle("done, and the process ends");
      process.kill();
      return process.turn();
    }
    fate.settle("done, response lost");
    throw connectionBroke();
  };
  return result instanceof Promise ? result.then(after) : after();
}
