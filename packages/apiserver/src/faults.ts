import { type HttpResponse, KubeError, type Status } from "@typekube/core";
import type { JournalEntry } from "./journal.js";
import { failure, type StatusError } from "./status-errors.js";

/** What goes wrong, and for which requests. */
export interface FaultRule {
  /** `get list watch create update patch delete deletecollection`; absent: all. */
  readonly verb?: string;
  /** The plural name; absent: all, paths that are no resources too. */
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** The name of the user. */
  readonly user?: string;
  /** Answers this HTTP status with a Status body. */
  readonly status?: number;
  readonly reason?: string;
  readonly message?: string;
  /** Goes into the Status and into the `Retry-After` header. */
  readonly retryAfterSeconds?: number;
  /** Resets the connection instead of answering. */
  readonly reset?: true;
  /** Answers, but cuts the connection after so many bytes of the body. */
  readonly cutAfterBytes?: number;
  /** Never answers. */
  readonly hang?: true;
  /** Ends a watch with this ERROR event, after what it begins with. */
  readonly eventError?: {
    readonly code: number;
    readonly reason: string;
    readonly message: string;
  };
  /** How often it strikes. Default 1. */
  readonly times?: number;
  /** How many matching requests are let through first. Default 0. */
  readonly skip?: number;
}

/** A fault that was set. */
export interface Fault {
  /** How often it has struck. */
  readonly count: number;
  remove(): void;
}

interface ActiveFault {
  readonly rule: FaultRule;
  skipped: number;
  count: number;
}

/** The faults of one server. */
export class Faults {
  readonly #active = new Set<ActiveFault>();

  add(rule: FaultRule): Fault {
    const active: ActiveFault = { rule, skipped: 0, count: 0 };
    this.#active.add(active);
    return {
      get count() {
        return active.count;
      },
      remove: () => {
        this.#active.delete(active);
      },
    };
  }

  /** The rule that strikes a request, if one does; the first that was set goes first. */
  strike(request: JournalEntry): FaultRule | undefined {
    for (const active of this.#active) {
      const { rule } = active;
      if (!matches(rule, request)) {
        continue;
      }
      if (active.skipped < (rule.skip ?? 0)) {
        active.skipped++;
        continue;
      }
      active.count++;
      if (active.count >= (rule.times ?? 1)) {
        this.#active.delete(active);
      }
      return rule;
    }
    return undefined;
  }
}

function matches(rule: FaultRule, request: JournalEntry): boolean {
  const keys = ["verb", "resource", "subresource", "namespace", "name", "user"] as const;
  return keys.every((key) => rule[key] === undefined || rule[key] === request[key]);
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

/** The refusal that a rule asks for. */
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

/** The Status inside the ERROR event that a rule asks for. */
export function faultEvent({ eventError }: FaultRule): Status | undefined {
  return eventError === undefined
    ? undefined
    : failure(eventError.code, eventError.reason, eventError.message).status;
}

/** The error of a connection that dies. */
export function connectionReset(): KubeError {
  return new KubeError("ConnectionReset", "the embedded server reset the connection");
}

/** The same answer whose body breaks off. */
export function cutResponse(response: HttpResponse, bytes: number): HttpResponse {
  const { body } = response;
  return {
    ...response,
    body: (async function* () {
      let left = bytes;
      for await (const chunk of body) {
        if (chunk.byteLength >= left) {
          yield chunk.subarray(0, left);
          throw connectionReset();
        }
        left -= chunk.byteLength;
        yield chunk;
      }
      throw connectionReset();
    })(),
  };
}
