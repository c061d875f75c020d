import { KubeError, type Status } from "@typekube/core";
import type { WireWatchEvent } from "@typekube/core/internal";
import { failure, type StatusError } from "../errors/status-errors.js";
import type { JournalEntry } from "../journal/journal.js";
import type { ApiObject } from "../objects/api-object.js";
import { assertFault } from "./assert-fault.js";
import { type FaultRule, strikes } from "./fault-rule.js";

/** An injected fault. */
export interface Fault {
  /** Number of times that the fault has occurred. */
  readonly count: number;
  /** Removes the fault: later requests are not affected. Can be called repeatedly. */
  remove(): void;
}

interface ActiveFault {
  readonly rule: FaultRule;
  skipped: number;
  count: number;
}

class AddedFault implements Fault {
  readonly remove: () => void;
  readonly #active: ActiveFault;

  constructor(active: ActiveFault, remove: () => void) {
    this.#active = active;
    this.remove = remove;
  }

  get count(): number {
    return this.#active.count;
  }
}

/** The faults of one server. */
export class Faults {
  readonly #active = new Set<ActiveFault>();
  #eventFaults = 0;

  add(rule: FaultRule): Fault {
    assertFault(rule);
    const active: ActiveFault = { rule, skipped: 0, count: 0 };
    if ((rule.times ?? 1) > 0) {
      this.#active.add(active);
      this.#eventFaults += rule.event === undefined ? 0 : 1;
    }
    return new AddedFault(active, () => this.#remove(active));
  }

  /** Returns the first rule added that applies to a request, if any. */
  strike(request: JournalEntry): FaultRule | undefined {
    return this.#active.size === this.#eventFaults
      ? undefined
      : this.#first(
          (rule) =>
            rule.event === undefined &&
            strikes(rule, request.verb, request.resource !== undefined) &&
            matches(rule, request, requestKeys),
        );
  }

  /** Returns the first rule added that applies to a watch event, if any. */
  strikeEvent(watch: JournalEntry, { type, object }: WireWatchEvent): FaultRule | undefined {
    if (this.#eventFaults === 0) {
      return undefined;
    }
    const { metadata } = object as Partial<ApiObject>;
    const { name, namespace } = metadata ?? {};
    return this.#first(
      (rule) =>
        rule.event !== undefined &&
        (rule.eventType === undefined || rule.eventType === type) &&
        matches(rule, { ...watch, name, namespace: namespace ?? watch.namespace }, eventKeys),
    );
  }

  #first(isStruck: (rule: FaultRule) => boolean): FaultRule | undefined {
    for (const active of this.#active) {
      const { rule } = active;
      if (!isStruck(rule)) {
        continue;
      }
      if (active.skipped < (rule.skip ?? 0)) {
        active.skipped++;
        continue;
      }
      active.count++;
      if (active.count >= (rule.times ?? 1)) {
        this.#remove(active);
      }
      return rule;
    }
    return undefined;
  }

  #remove(active: ActiveFault): void {
    if (this.#active.delete(active)) {
      this.#eventFaults -= active.rule.event === undefined ? 0 : 1;
    }
  }
}

const eventKeys = ["resource", "namespace", "name", "user"] as const;
const requestKeys = ["verb", "subresource", ...eventKeys] as const;

function matches(
  rule: FaultRule,
  request: JournalEntry,
  keys: readonly (typeof requestKeys)[number][],
): boolean {
  return (
    keys.every((key) => rule[key] === undefined || rule[key] === request[key]) &&
    rule.when?.(request) !== false
  );
}

const reasons: Readonly<Record<number, readonly [reason: string, message: string]>> = {
  400: ["BadRequest", "the server rejected our request for an unknown reason"],
  401: ["Unauthorized", "Unauthorized"],
  403: ["Forbidden", "the request is forbidden"],
  404: ["NotFound", "the server could not find the requested resource"],
  409: ["Conflict", "the server reported a conflict"],
  410: ["Expired", "too old resource version"],
  422: ["Invalid", "the server rejected our request due to an error in our request"],
  429: ["TooManyRequests", "Too many requests, please try again later."],
  500: ["InternalError", "an error on the server has prevented the request from succeeding"],
  503: ["ServiceUnavailable", "the server is currently unable to handle the request"],
  504: ["Timeout", "the server was unable to return a response in the time allotted"],
};

/** Returns the error response of a rule. */
export function faultError({
  status = 500,
  reason,
  message,
  retryAfterSeconds,
}: FaultRule): StatusError {
  const [usual, text] = reasons[status] ?? ["Unknown", "unknown"];
  const details = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return failure(status, reason ?? usual, message ?? text, details);
}

/** Returns the Status in a rule's ERROR event. */
export function faultEvent({ eventError }: FaultRule): Status | undefined {
  return eventError === undefined
    ? undefined
    : failure(eventError.code, eventError.reason, eventError.message).status;
}

/** Returns the error of a reset connection. */
export function connectionReset(): KubeError {
  return new KubeError("ConnectionReset", "the embedded server reset the connection");
}
