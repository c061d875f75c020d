import { KubeError } from "@typekube/core";
import type { Clock, HttpRequest, HttpResponse, HttpSend } from "@typekube/core/internal";
import { failure } from "../../../errors/status-errors.js";
import type { RefusalStatus } from "../faults/explored-fault.js";
import { type ClockHooks, createProcessClock, type ProcessClock } from "./process-clock.js";

/** The course of one call of an operator. */
export interface CallFate {
  /** Something that happens before the call. */
  readonly before?: Promise<unknown> | undefined;
  /** Happens in place of the call: the connection breaks, or the request is refused. */
  readonly instead?: RefusalStatus | "break" | undefined;
  /** Happens after the call had its effect: the response is lost, or the process crashes. */
  readonly afterwards?: "break" | "crash" | undefined;
  /** Records how the call ended. */
  settle(outcome: string): void;
  /** Records the effect of a call of an external system. */
  observe?(effect: ExternalEffect): void;
}

/** The effect of a call of a system outside of the cluster, as far as it can be seen. */
export interface ExternalEffect {
  /** True when the visible state of the system changed. */
  readonly isChange: boolean;
  /** True when no call of another process can have changed it. */
  readonly isOwn: boolean;
  /** True when the call returned something. */
  readonly hasResult: boolean;
}

/** One process of an operator: it has a clock of its own, and can stand still or be gone. */
export class OperatorProcess {
  readonly name: string;
  readonly clock: ProcessClock;
  readonly ending: AbortController = new AbortController();
  #state: "gone" | "paused" | "running" = "running";
  #held: (() => void)[] = [];

  constructor(name: string, clock: Clock, hooks: ClockHooks) {
    this.name = name;
    this.clock = createProcessClock(clock, hooks);
  }

  get isRunning(): boolean {
    return this.#state === "running";
  }

  get isGone(): boolean {
    return this.#state === "gone";
  }

  /** Stops the process without a sign: it gets no further response, event or timer. */
  kill(): void {
    this.#state = "gone";
    this.#held = [];
    this.clock.end();
  }

  /** Lets the process stand still, as SIGSTOP does. */
  pause(): void {
    this.#state = "paused";
    this.clock.pause();
  }

  /** Lets a process continue. */
  resume(): void {
    this.#state = "running";
    const held = this.#held;
    this.#held = [];
    this.clock.resume();
    for (const go of held) {
      go();
    }
  }

  /** Waits while the process stands still; indefinitely when it is gone. */
  async turn(): Promise<void> {
    if (this.#state === "gone") {
      await new Promise(() => {});
    }
    if (this.#state === "paused") {
      await new Promise<void>((resolve) => this.#held.push(resolve));
      await this.turn();
    }
  }

  /** Returns the transport of the process. `fateOf` is asked about each request before it is sent. */
  transport(send: HttpSend, fateOf: (request: HttpRequest) => CallFate): HttpSend {
    return async (request) => {
      if (!this.isRunning) {
        await this.turn();
      }
      const fate = fateOf(request);
      if (fate.before !== undefined) {
        await fate.before;
      }
      // The process may have ended or been paused in the meantime.
      if (!this.isRunning) {
        await this.turn();
      }
      if (fate.instead === "break") {
        fate.settle("connection broke");
        throw connectionBroke();
      }
      if (fate.instead !== undefined) {
        fate.settle(String(fate.instead));
        return refusal(fate.instead);
      }
      const response = await send(request);
      if (fate.afterwards === "crash") {
        fate.settle(`${response.status}, and the process ends`);
        this.kill();
      }
      if (!this.isRunning) {
        await this.turn();
      }
      if (fate.afterwards === "break") {
        fate.settle(`${response.status}, response lost`);
        throw connectionBroke();
      }
      fate.settle(String(response.status));
      return request.mode === "stream"
        ? { ...response, body: this.#whileRunning(response.body) }
        : response;
    };
  }

  /** Returns a stream that goes no further when the process is gone, and not before it continues when it is paused. */
  #whileRunning(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    return {
      [Symbol.asyncIterator]: () => {
        const source = body[Symbol.asyncIterator]();
        return {
          next: async () => {
            try {
              return await source.next();
            } finally {
              if (!this.isRunning) {
                await this.turn();
              }
            }
          },
          return: async () => (await source.return?.()) ?? { done: true, value: undefined },
        };
      },
    };
  }
}

/** The error of a connection that broke. */
export function connectionBroke(): KubeError {
  return new KubeError("ConnectionReset", "the connection to the API server broke");
}

const texts = {
  409: [
    "Conflict",
    "the object has been modified; please apply your changes to the latest version and try again",
  ],
  429: ["TooManyRequests", "Too many requests, please try again later."],
  500: ["InternalError", "an error on the server has prevented the request from succeeding"],
} as const;

function refusal(code: RefusalStatus): HttpResponse {
  const [reason, message] = texts[code];
  const { status } = failure(code, reason, message, code === 429 ? { retryAfterSeconds: 1 } : {});
  const body = Buffer.from(JSON.stringify(status));
  return {
    status: code,
    headers: {
      "content-type": "application/json",
      "content-length": String(body.byteLength),
      ...(code === 429 ? { "retry-after": "1" } : {}),
    },
    body: once(body),
  };
}

async function* once(body: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield body;
}
