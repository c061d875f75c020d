import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { Clock } from "@typekube/core/internal";
import { type Fault, isBodyFault, isResponseFault, type Weather } from "./fault.js";
import { ProxiedConnection } from "./proxied-connection.js";
import { ProxyIdentity } from "./proxy-identity.js";
import { fits, isWatch, noteRequest } from "./status-response.js";
import type { Tally } from "./tally.js";

/** Options of a proxy. */
export interface FaultProxyOptions {
  /** Opens a connection to the server. */
  readonly dial: () => Socket;
  /** Path of the PEM file with the CA of the proxy's certificate. The proxy writes it. */
  readonly caFile: string;
  readonly clock: Clock;
  readonly struck: Tally;
  readonly requests: Tally;
}

/** Injects faults on sockets: a TLS proxy that cuts, delays and resets bytes on the wire. */
export class FaultProxy implements Weather, AsyncDisposable {
  readonly #options: FaultProxyOptions;
  readonly #connections = new Set<ProxiedConnection>();
  readonly #identity: ProxyIdentity;
  #server: Server | undefined;
  #port = 0;
  #faults: Fault[] = [];
  #expiresNextWatch = false;

  private constructor(options: FaultProxyOptions) {
    this.#options = options;
    this.#identity = new ProxyIdentity(options.caFile);
  }

  /** Opens a proxy on a free port of 127.0.0.1. */
  static async listen(options: FaultProxyOptions): Promise<FaultProxy> {
    const proxy = new FaultProxy(options);
    await proxy.comeBack();
    return proxy;
  }

  get url(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  get pending(): number {
    const weak = [...this.#connections].filter(({ fault }) => fault !== undefined);
    return this.#faults.length + this.#identity.mistrusted + weak.length;
  }

  add(fault: Fault): void {
    this.#faults.push(fault);
    for (const connection of this.#connections) {
      this.#weaken(connection);
    }
  }

  /** Stops listening: open connections break, new ones are refused. */
  vanish(): void {
    this.#server?.close();
    this.#server = undefined;
    this.breakAll();
  }

  /** Listens again on the same port. */
  async comeBack(): Promise<void> {
    // Without it, each body waits for the ACK of its head: 40 ms, which are four seconds on the informers' clock.
    const server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(this.#port, "127.0.0.1", resolve);
    });
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Uses a certificate of another CA, which the client trusts only after this number of handshakes. */
  swapCertificate(handshakes: number): void {
    this.#identity.swap(handshakes);
    this.breakAll();
  }

  provoke(): void {
    this.#expiresNextWatch = this.#faults.some(({ kind }) => kind === "410-at-continue");
    this.breakAll();
  }

  clear(): void {
    this.#faults = [];
    this.#identity.trust();
    this.#expiresNextWatch = false;
    for (const connection of this.#connections) {
      connection.fault = undefined;
    }
  }

  /** Breaks every connection except the silent ones. */
  breakAll(): void {
    for (const connection of [...this.#connections]) {
      connection.break();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#server?.close(() => resolve());
    });
    for (const connection of [...this.#connections]) {
      connection.destroy();
    }
    await closed;
  }

  #accept(socket: Socket): void {
    const { dial, clock, struck, requests } = this.#options;
    const connection: ProxiedConnection = new ProxiedConnection(socket, {
      identity: this.#identity.next(),
      dial,
      clock,
      onRequest: (path) => {
        noteRequest(path, requests);
        const fault = this.#responseFault(path);
        this.#weaken(connection);
        return fault;
      },
      onStrike: ({ kind }) => struck.add(kind),
      // Retries the fault with fewer bytes, so that it strikes earlier.
      onUnused: (fault) => this.#faults.push({ ...fault, bytes: Math.ceil(fault.bytes / 2) }),
      onEnd: () => this.#connections.delete(connection),
    });
    this.#connections.add(connection);
  }

  #responseFault(path: string): Fault | undefined {
    if (this.#expiresNextWatch && isWatch(path)) {
      this.#expiresNextWatch = false;
      return { kind: "410-at-watch", bytes: 0 };
    }
    return this.#take((fault) => isResponseFault(fault) && fits(fault.kind, path));
  }

  #weaken(connection: ProxiedConnection): void {
    // Without a request there is no response to cut.
    if (connection.isResponding && connection.fault === undefined) {
      connection.weaken(this.#take(isBodyFault));
    }
  }

  #take(fits: (fault: Fault) => boolean): Fault | undefined {
    const at = this.#faults.findIndex(fits);
    return at < 0 ? undefined : this.#faults.splice(at, 1)[0];
  }
}
