import { objectsOf, specOf } from "../kinds/parts.js";
import { cause } from "../response/status-errors.js";
import type { ApiObject } from "../store/stored-object.js";
import { type Causes, isUnset, labelValue, qualifiedName } from "./checks.js";

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** What is wrong with a Node. Refusals say that its taints stand in the metadata. */
export function nodeCauses(node: ApiObject): Causes {
  const seen = new Set<string>();
  return objectsOf(specOf(node)["taints"]).flatMap((taint, at) => {
    const { key, value, effect, timeAdded = null } = taint;
    const field = `metadata.taints[${at}]`;
    const pair = JSON.stringify([key, effect]);
    const isTwice = seen.has(pair);
    seen.add(pair);
    const shown = { Key: key, Value: value ?? "", Effect: effect, TimeAdded: timeAdded };
    return [
      ...qualifiedName(`${field}.key`, String(key ?? "")),
      ...(isUnset(value) ? [] : labelValue(`${field}.value`, String(value))),
      ...(isUnset(effect)
        ? [cause.required(`${field}.effect`)]
        : effects.includes(String(effect))
          ? []
          : [cause.notSupported(`${field}.effect`, effect, effects)]),
      ...(isTwice ? [twice(field, shown)] : []),
    ];
  });
}

function twice(field: string, shown: unknown) {
  const { message, ...rest } = cause.duplicate(field, shown);
  return { ...rest, message: `${message}: taints must be unique by key and effect pair` };
}
