import { KubeError } from "@typekube/core";
import type { Clock } from "@typekube/core/internal";
import { SpdySession, type SpdyStream } from "@typekube/core/internal/streams";
import { keepAlive, type WebSocketConnection } from "@typekube/transport/internal";
import { errorText, type PortConnection } from "./port-connection.js";

/** Subprotocol of a tunnel: SPDY inside a WebSocket. (KEP-4006; client-go `portforward/tunneling_dialer.go`) */
export const tunnelProtocol = "SPDY/3.1+portforward.k8s.io";

/** Milliseconds between two pings. (client-go `portforward/tunneling_connection.go`: 10 s) */
const pingMs = 10_000;
/** Milliseconds without a sign of the server after which a tunnel is lost. */
const silentMs = 61_000;
/** Bytes per frame. */
const frameBytes = 64 * 1024;

/** Receives what happens to a tunnel. */
export interface TunnelEvents {
  /** Called once when no connection can be opened any more. */
  readonly onEnd: () => void;
  /** Called when the last connection in use is over. */
  readonly onIdle: () => void;
}

/** A WebSocket that carries any number of connections to one port of a pod. */
export class PortTunnel {
  readonly #connection: WebSocketConnection;
  readonly #session: SpdySession;
  readonly #port: number;
  readonly #events: TunnelEvents;
  #requests = 0;
  #active = 0;
  /** `true` from the opening of the tunnel to its first connection, so that it does not count as idle. */
  #isReserved = true;
  #isStalled = false;

  constructor(
    connection: WebSocketConnection,
    { clock, port }: { readonly clock: Clock; readonly port: number },
    events: TunnelEvents,
  ) {
    this.#connection = connection;
    this.#port = port;
    this.#events = events;
    this.#session = new SpdySession({
      send: (bytes) => connection.send(bytes),
      onStall: () => {
        this.#isStalled = true;
      },
    });
    keepAlive(connection, { clock, pingMs, silentMs });
    void this.#read().then(events.onEnd);
  }

  /** `true` while a slow reader of one connection keeps the others from receiving. */
  get isStalled(): boolean {
    return this.#isStalled;
  }

  /** `true` once no more connection can be opened. */
  get isUsedUp(): boolean {
    return this.#session.isUsedUp || this.#connection.closed.aborted;
  }

  /** Number of connections in use or about to be. */
  get active(): number {
    return this.#active + (this.#isReserved ? 1 : 0);
  }

  /** Ends the reservation for the connection that the tunnel was opened for. */
  release(): void {
    this.#isReserved = false;
  }

  /**
   * Opens a connection to the port.
   *
   * @throws {KubeError} `ConnectionClosed` when the tunnel is lost.
   */
  async connect(): Promise<PortConnection> {
    const headers = { port: String(this.#port), requestid: String(this.#requests++) };
    this.#active += 1;
    this.release();
    let errors: SpdyStream;
    let data: SpdyStream;
    try {
      errors = await this.#session.open({ streamtype: "error", ...headers });
      // We have nothing to say on it.
      await errors.end();
      data = await this.#session.open({ streamtype: "data", ...headers });
    } catch (cause) {
      this.#leave();
      throw new KubeError("ConnectionClosed", "the port-forward was lost", { cause });
    }
    const reported = errorText(errors.data);
    /** Sides that are still open; the connection is in use until both have ended. */
    const sides = new Set(["local", "pod"]);
    const endSide = (side: string) => {
      if (sides.delete(side) && sides.size === 0) {
        this.#leave();
      }
    };
    return {
      data: data.data,
      async write(bytes) {
        for (let at = 0; at < bytes.byteLength; at += frameBytes) {
          await data.write(bytes.subarray(at, at + frameBytes));
        }
      },
      async end() {
        await data.end();
        endSide("local");
      },
      reset() {
        void data.reset();
        void errors.reset();
        endSide("local");
        endSide("pod");
      },
      failure: async () => {
        const text = await reported;
        const cut = this.isUsedUp
          ? "the port-forward was lost"
          : "the connection was reset by the pod";
        const failure = text !== "" ? text : data.wasReset ? cut : undefined;
        endSide("pod");
        return failure;
      },
    };
  }

  close(): void {
    this.#connection.leave();
    this.#session.close();
  }

  #leave(): void {
    this.#active -= 1;
    if (this.active === 0) {
      this.#events.onIdle();
    }
  }

  async #read(): Promise<void> {
    try {
      for (;;) {
        const message = await this.#connection.next();
        if (message === undefined) {
          break;
        }
        await this.#session.receive(message.bytes);
        this.#isStalled = false;
      }
    } catch {
      // Bytes that are not SPDY: nothing that follows them can be read.
      this.#connection.close(1002);
    }
    this.#session.close();
  }
}
