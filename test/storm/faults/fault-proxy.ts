import { readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createSecureContext, type SecureContext } from "node:tls";
import type { Clock } from "@typekube/core";
import { type Fault, isAnswerFault, isBodyFault, type Refused, type Weather } from "./fault.js";
import { ProxiedConnection } from "./proxied-connection.js";
import { fits, isWatch, noteRequest } from "./status-answer.js";
import type { Tally } from "./tally.js";

const fixtures = new URL("../../../packages/transport/test/fixtures/", import.meta.url);

/** The authority that signed the proxy's certificates; PEM. */
export const proxyAuthority: string = fixture("ca.pem");

/** What a proxy stands on. */
export interface FaultProxyOptions {
  /** Opens a connection to the server. */
  readonly dial: () => Socket;
  readonly clock: Clock;
  readonly struck: Tally;
  readonly requests: Tally;
}

/** The weather on sockets: a TLS proxy that cuts, holds and resets bytes as they are on the wire. */
export class FaultProxy implements Weather, AsyncDisposable {
  readonly #options: FaultProxyOptions;
  readonly #connections = new Set<ProxiedConnection>();
  readonly #server = createServer((socket) => this.#accept(socket));
  #faults: Fault[] = [];
  #refusals: Refused[] = [];
  #expiresNextWatch = false;

  private constructor(options: FaultProxyOptions) {
    this.#options = options;
  }

  /** Opens a proxy on a free port of 127.0.0.1. */
  static async listen(options: FaultProxyOptions): Promise<FaultProxy> {
    const proxy = new FaultProxy(options);
    await new Promise<void>((resolve) => {
      proxy.#server.listen(0, "127.0.0.1", resolve);
    });
    return proxy;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get pending(): number {
    const weak = [...this.#connections].filter(({ fault }) => fault !== undefined);
    return this.#faults.length + this.#refusals.length + weak.length;
  }

  add(fault: Fault): void {
    this.#faults.push(fault);
    for (const connection of this.#connections) {
      this.#weaken(connection);
    }
  }

  refuse(requests: number, why: Refused): void {
    this.#refusals.push(...Array.from({ length: requests }, () => why));
    this.breakAll();
  }

  provoke(): void {
    this.#expiresNextWatch = this.#faults.some(({ kind }) => kind === "410-at-continue");
    this.breakAll();
  }

  clear(): void {
    this.#faults = [];
    this.#refusals = [];
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
      this.#server.close(() => resolve());
    });
    for (const connection of [...this.#connections]) {
      connection.destroy();
    }
    await closed;
  }

  #accept(socket: Socket): void {
    const refused = this.#refusals.shift();
    if (refused === "ConnectionRefused") {
      socket.on("error", () => {});
      socket.resetAndDestroy();
      return;
    }
    const { dial, clock, struck, requests } = this.#options;
    const connection: ProxiedConnection = new ProxiedConnection(socket, {
      identity: refused === "Tls" ? expired() : trusted(),
      dial,
      clock,
      onRequest: (path) => {
        noteRequest(path, requests);
        const fault = this.#answerFault(path);
        this.#weaken(connection);
        return fault;
      },
      onStrike: ({ kind }) => struck.add(kind),
      onEnd: (unused) => {
        this.#connections.delete(connection);
        if (unused !== undefined) {
          this.#faults.push({ ...unused, bytes: Math.ceil(unused.bytes / 2) });
        }
      },
    });
    this.#connections.add(connection);
  }

  #answerFault(path: string): Fault | undefined {
    if (this.#expiresNextWatch && isWatch(path)) {
      this.#expiresNextWatch = false;
      return { kind: "410-at-watch", bytes: 0 };
    }
    return this.#take((fault) => isAnswerFault(fault) && fits(fault.kind, path));
  }

  #weaken(connection: ProxiedConnection): void {
    // Where nothing was asked yet, nothing would be cut.
    if (connection.isAnswering && connection.fault === undefined) {
      connection.weaken(this.#take(isBodyFault));
    }
  }

  #take(fits: (fault: Fault) => boolean): Fault | undefined {
    const at = this.#faults.findIndex(fits);
    return at < 0 ? undefined : this.#faults.splice(at, 1)[0];
  }
}

const identities = new Map<string, SecureContext>();

function trusted(): SecureContext {
  return identity("server");
}

function expired(): SecureContext {
  return identity("expired");
}

function identity(name: string): SecureContext {
  let context = identities.get(name);
  if (context === undefined) {
    context = createSecureContext({
      cert: fixture(`${name}.pem`),
      key: fixture(`${name}.key.pem`),
    });
    identities.set(name, context);
  }
  return context;
}

function fixture(name: string): string {
  return readFileSync(new URL(name, fixtures), "utf8");
}
