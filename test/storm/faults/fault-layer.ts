import { KubeError } from "@typekube/core";
import type { Clock, HttpRequest, HttpResponse, HttpSend } from "@typekube/core/internal";
import { type Fault, isBodyFault, isResponseFault, type Weather } from "./fault.js";
import { OpenExchange } from "./open-exchange.js";
import { fits, isRefusal, isWatch, noteRequest, refusalResponse } from "./status-response.js";
import type { Tally } from "./tally.js";

/** Milliseconds after which a transport cancels a request without headers, and a whole call (`transportDefaults`). */
const headersTimeoutMs = 75_000;
const callTimeoutMs = 300_000;

/** Error of a request that reaches no server, or one with an untrusted certificate. */
export type Refused = "ConnectionRefused" | "Tls";

/** Options of a fault layer. */
export interface FaultLayerOptions {
  readonly clock: Clock;
  /** Counts faults that struck, by kind. */
  readonly struck: Tally;
  /** Counts requests, see `noteRequest`. */
  readonly requests: Tally;
}

/** Injects faults between a client and a server in process, as a wrapper of their {@link HttpSend}. */
export class FaultLayer implements Weather {
  readonly send: HttpSend;
  readonly #next: HttpSend;
  readonly #options: FaultLayerOptions;
  #faults: Fault[] = [];
  #refusals: Refused[] = [];
  #expiresNextWatch = false;
  readonly #open = new Set<OpenExchange>();

  constructor(next: HttpSend, options: FaultLayerOptions) {
    this.#next = next;
    this.#options = options;
    this.send = (request) => this.#send(request);
  }

  get pending(): number {
    const weak = [...this.#open].filter(({ isWeak }) => isWeak);
    return this.#faults.length + this.#refusals.length + weak.length;
  }

  add(fault: Fault): void {
    this.#faults.push(fault);
    // A body fault strikes an open stream, if there is one.
    for (const exchange of this.#open) {
      this.#weaken(exchange);
    }
  }

  /** Refuses a number of requests, like a server that is down or whose certificate is untrusted. */
  refuse(requests: number, why: Refused): void {
    this.#refusals.push(...Array.from({ length: requests }, () => why));
    this.#breakAll();
  }

  provoke(): void {
    this.#expiresNextWatch = this.#faults.some(({ kind }) => kind === "410-at-continue");
    this.#breakAll();
  }

  clear(): void {
    this.#faults = [];
    this.#refusals = [];
    this.#expiresNextWatch = false;
    for (const exchange of this.#open) {
      exchange.strengthen();
    }
  }

  #breakAll(): void {
    for (const exchange of [...this.#open]) {
      exchange.break();
    }
  }

  async #send(request: HttpRequest): Promise<HttpResponse> {
    noteRequest(request.path, this.#options.requests);
    const refused = this.#refusals.shift();
    if (refused !== undefined) {
      throw new KubeError(refused, "the storm refused the request");
    }
    if (this.#expiresNextWatch && isWatch(request.path)) {
      this.#expiresNextWatch = false;
      return refusalResponse("410-at-watch");
    }
    const fault = this.#take((fault) => isResponseFault(fault) && fits(fault.kind, request.path));
    if (fault !== undefined) {
      this.#options.struck.add(fault.kind);
    }
    if (fault !== undefined && isRefusal(fault.kind)) {
      return refusalResponse(fault.kind);
    }
    return this.#exchange(request, fault);
  }

  async #exchange(request: HttpRequest, fault: Fault | undefined): Promise<HttpResponse> {
    const { clock } = this.#options;
    const isStream = isWatch(request.path);
    const deadlineMs = isStream ? headersTimeoutMs : callTimeoutMs;
    const exchange: OpenExchange = new OpenExchange(request.signal, clock, deadlineMs, {
      onStrike: ({ kind }) => this.#options.struck.add(kind),
      onEnd: (unused) => {
        this.#open.delete(exchange);
        if (unused !== undefined) {
          // Retries the fault with fewer bytes, so that it strikes earlier.
          this.#faults.push({ ...unused, bytes: Math.ceil(unused.bytes / 2) });
        }
      },
    });
    try {
      switch (fault?.kind) {
        case "reset-before-headers":
          throw new KubeError("ConnectionReset", "the storm broke the connection");
        case "reset-during-headers":
          throw new KubeError("ConnectionClosed", "the storm broke the headers");
        case "half-open-headers":
          return await exchange.silence();
        default:
      }
      const response = await this.#next({ ...request, signal: exchange.signal });
      if (response.status !== 200) {
        exchange.end();
        return response;
      }
      if (isStream) {
        exchange.hasHeaders();
      }
      this.#open.add(exchange);
      this.#weaken(exchange);
      return { ...response, body: exchange.body(response.body) };
    } catch (error) {
      exchange.end();
      throw error;
    }
  }

  #weaken(exchange: OpenExchange): void {
    if (!exchange.isWeak) {
      exchange.weaken(this.#take(isBodyFault));
    }
  }

  #take(fits: (fault: Fault) => boolean): Fault | undefined {
    const at = this.#faults.findIndex(fits);
    return at < 0 ? undefined : this.#faults.splice(at, 1)[0];
  }
}
