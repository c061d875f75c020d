import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { Clock } from "@typekube/core/internal";
import { type Fault, isBodyFault, isResponseFault, type Weather } from "./fault.js";
import { ProxiedConnection } from "./proxied-connection.js";
import { ProxyIdentity } from "./proxy-identity.js";
import { fits, isWatch, noteRequest } from "./status-response.js";
import type { Tally } from "./tally.js";

/** What a proxy stands on. */
export interface FaultProxyOptions {
  /** Opens a connection to the server. */
  readonly dial: () => Socket;
  /** Where the authority stands that signed the proxy's certificate; PEM. The proxy writes it. */
  readonly caFile: string;
  readonly clock: Clock;
  readonly struck: Tally;
  readonly requests: Tally;
}

/** The weather on sockets: a TLS proxy that cuts, holds and resets bytes as they are on the wire. */
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

  /** Nobody is there: what is open breaks, and connections are refused. */
  vanish(): void {
    this.#server?.close();
    this.#server = undefined;
    this.breakAll();
  }

  /** Is there at the same address as before. */
  async comeBack(): Promise<void> {
    // Else each body waits for the receipt of its head: 40 ms, which are four seconds of the informers.
    const server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(this.#port, "127.0.0.1", resolve);
    });
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Has a certificate of another authority, which its client knows after so many handshakes. */
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

  /** Every connection breaks, but for those that are silent. */
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
        const fault = this.#answerFault(path);
        this.#weaken(connection);
        return fault;
      },
      onStrike: ({ kind }) => struck.add(kind),
      // A smaller number of bytes comes sooner.
      onUnused: (fault) => this.#faults.push({ ...fault, bytes: Math.ceil(fault.bytes / 2) }),
      onEnd: () => this.#connections.delete(connection),
    });
    this.#connections.add(connection);
  }

  #answerFault(path: string): Fault | undefined {
    if (this.#expiresNextWatch && isWatch(path)) {
      this.#expiresNextWatch = false;
      return { kind: "410-at-watch", bytes: 0 };
    }
    return this.#take((fault) => isResponseFault(fault) && fits(fault.kind, path));
  }

  #weaken(connection: ProxiedConnection): void {
    // Where nothing was asked yet, nothing would be cut.
    if (connection.isResponding && connection.fault === undefined) {
      connection.weaken(this.#take(isBodyFault));
    }
  }

  #take(fits: (fault: Fault) => boolean): Fault | undefined {
    const at = this.#faults.findIndex(fits);
    return at < 0 ? undefined : this.#faults.splice(at, 1)[0];
  }
}
