import { Duplex } from "node:stream";
import { KubeError } from "@typekube/core";
import type { PortConnection } from "./port-connection.js";

/**
 * A connection to a port of a pod, for everything that takes a socket: HTTP agents, database clients, undici. It can be
 * used at once, and emits `connect` when it is connected.
 */
export class PortSocket extends Duplex {
  readonly #opening: Promise<PortConnection>;
  #connection: PortConnection | undefined;
  #wake = () => {};

  /** @internal */
  constructor(opening: Promise<PortConnection>) {
    super({ allowHalfOpen: true });
    this.#opening = opening;
    opening.then(
      (connection) => this.#onConnected(connection),
      (error: unknown) => this.destroy(KubeError.from(error)),
    );
  }

  /** `true` until the connection is open. */
  get connecting(): boolean {
    return this.#connection === undefined && !this.destroyed;
  }

  // Members of net.Socket that clients call. Each has its usual meaning, or none here.

  /**
   * Already connecting: calls back when it is connected. Other arguments are ignored. Clients that are given a socket early
   * wait for `connect` after this call, so that it comes again if it came before.
   */
  connect(...given: readonly unknown[]): this {
    const callback = given.at(-1);
    if (typeof callback === "function") {
      this.once("connect", callback as () => void);
    }
    if (this.#connection !== undefined) {
      process.nextTick(() => this.emit("connect"));
    }
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  /** Sets no timer: a port-forward has its own pings. */
  setTimeout(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {
    this.#wake();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.#opening.then((connection) => connection.write(chunk)).then(() => done(), done);
  }

  override _final(done: (error?: Error) => void): void {
    this.#opening.then((connection) => connection.end()).then(() => done(), done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#wake();
    // Also one that opens later.
    this.#opening.then(
      (connection) => connection.reset(),
      () => {},
    );
    done(error);
  }

  #onConnected(connection: PortConnection): void {
    if (this.destroyed) {
      return;
    }
    this.#connection = connection;
    this.emit("connect");
    this.emit("ready");
    this.#pump(connection).catch((error: unknown) => this.destroy(KubeError.from(error)));
  }

  async #pump(connection: PortConnection): Promise<void> {
    for await (const chunk of connection.data) {
      if (this.destroyed) {
        return;
      }
      if (!this.push(chunk)) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
    const failure = await connection.failure();
    if (failure === undefined) {
      this.push(null);
    } else if (!this.destroyed) {
      this.destroy(new KubeError("ConnectionReset", failure));
    }
  }
}
