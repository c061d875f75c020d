import { KubeError } from "@typekube/core";
import type { RequestFacts } from "../record/call.js";
import type { Externals } from "../scenario/externals.js";
import { externalState } from "../world/external-state.js";
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
  return new Proxy(changeable(system), {
    set: (_, property, value) => Reflect.set(system, property, value, system),
    get(_, property) {
      const value: unknown = Reflect.get(system, property, system);
      if (typeof value !== "function" || typeof property === "symbol") {
        return value;
      }
      let method = methods.get(property);
      if (method === undefined) {
        const facts = (args: readonly unknown[]): RequestFacts => ({
          verb: property,
          resource: name,
          name: args.filter((one) => ["number", "string"].includes(typeof one)).join(", "),
          // Known when the call is done: it is a write if it changes what can be seen.
          isWrite: false,
          acceptsOldState: false,
        });
        method = (...args: unknown[]) =>
          call(
            process,
            () => fateOf(facts(args)),
            (fate) => observed(process, system, fate, () => Reflect.apply(value, system, args)),
          );
        methods.set(property, method);
      }
      return method;
    },
  });
}

/**
 * Returns an object for a proxy in place of a system: the system itself, or a copy if it has a method that cannot be
 * changed. A proxy must return such a method as it is.
 */
function changeable(system: object): object {
  const properties = Object.getOwnPropertyDescriptors(system);
  const own = Object.values(properties);
  return own.some(({ configurable, value }) => !configurable && typeof value === "function")
    ? Object.create(
        Object.getPrototypeOf(system),
        Object.fromEntries(
          Object.entries(properties).map(([name, one]) => [name, { ...one, configurable: true }]),
        ),
      )
    : system;
}

/** A call in progress. */
interface OpenCall {
  readonly process: OperatorProcess;
  /** True once another process called the same system meanwhile. */
  isShared: boolean;
}

const openCalls = new WeakMap<object, Set<OpenCall>>();

/** Lets a method act, and records whether the visible state of its system changed. */
async function observed(
  process: OperatorProcess,
  system: object,
  fate: CallFate,
  act: () => unknown,
): Promise<unknown> {
  const open = openCalls.get(system) ?? new Set();
  openCalls.set(system, open);
  const own: OpenCall = { process, isShared: false };
  for (const other of open) {
    if (other.process !== process) {
      other.isShared = true;
      own.isShared = true;
    }
  }
  open.add(own);
  const before = visibleState(system);
  let hasResult = false;
  let isOwn = false;
  try {
    const pending = act();
    isOwn = visibleState(system) !== before;
    const result = await pending;
    hasResult = result !== undefined;
    return result;
  } finally {
    open.delete(own);
    const isChange = isOwn || visibleState(system) !== before;
    fate.observe?.({ isChange, isOwn: isOwn || !own.isShared, hasResult });
  }
}

/** Returns the state of a system; `undefined` when it can't be read, which is reported at the end of the run. */
function visibleState(system: object): string | undefined {
  try {
    return externalState(system, "");
  } catch {
    return undefined;
  }
}

/** Makes one call, as the faults of the run say. */
async function call(
  process: OperatorProcess,
  ask: () => CallFate,
  act: (fate: CallFate) => Promise<unknown>,
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
  const result = await act(fate);
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
