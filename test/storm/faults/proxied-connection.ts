import type { Socket } from "node:net";
import { type SecureContext, TLSSocket } from "node:tls";
import type { Clock } from "@typekube/core/internal";
import type { Fault } from "./fault.js";
import { ResponseLength } from "./response-length.js";
import { isRefusal, type RefusalKind, refusal } from "./status-response.js";

const endOfHead = "\r\n\r\n";
/** Bytes sent in drips before the rest follows at once, and the pause between two drips. */
const drippingBytes = 400;
const dripMs = 20;
/** Bytes of a broken response head that are sent: the status line and a little more. */
const brokenHeadBytes = 40;

/** Dependencies of a connection, provided by its proxy. */
export interface ProxiedConnectionOptions {
  readonly identity: SecureContext;
  readonly dial: () => Socket;
  readonly clock: Clock;
  /** Called at the start of a request; returns the fault of its response. */
  readonly onRequest: (path: string) => Fault | undefined;
  readonly onStrike: (fault: Fault) => void;
  /** Called for a body fault that had no body to strike. */
  readonly onUnused: (fault: Fault) => void;
  readonly onEnd: () => void;
}

/**
 * A client's connection and the server connection that belongs to it. Requests have no bodies, since only informers use
 * it.
 */
export class ProxiedConnection {
  /** Pending body fault. */
  fault: Fault | undefined;
  /** `true` while a response is in progress. */
  isResponding = false;
  readonly #options: ProxiedConnectionOptions;
  readonly #socket: Socket;
  readonly #client: TLSSocket;
  #server: Socket | undefined;
  #requested = "";
  #head = "";
  #inBody = false;
  #bodyBytes = 0;
  #responseLength: ResponseLength | undefined;
  #breaksHead = false;
  #isSilent = false;
  #isOver = false;
  /** Serializes writes, drips included. */
  #writing: Promise<void> = Promise.resolve();

  constructor(socket: Socket, options: ProxiedConnectionOptions) {
    this.#options = options;
    this.#socket = socket;
    this.#client = new TLSSocket(socket, { isServer: true, secureContext: options.identity });
    this.#client.on("data", (bytes: Buffer) => this.#hear(bytes));
    for (const each of [socket, this.#client]) {
      each.on("error", () => this.destroy());
      each.on("close", () => this.destroy());
    }
  }

  /** Sets a body fault, whose bytes are counted from now on. */
  weaken(fault: Fault | undefined): void {
    this.fault = fault;
    this.#bodyBytes = 0;
  }

  /** Breaks the connection now, through the pending fault if there is one. A silent connection stays silent. */
  break(): void {
    const { fault } = this;
    if (this.#isSilent) {
      return;
    }
    if (fault === undefined || fault.kind === "slow-drip") {
      this.#reset();
    } else {
      this.#strike(fault);
    }
  }

  destroy(): void {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#client.destroy();
      this.#socket.destroy();
      this.#server?.destroy();
      this.#options.onEnd();
      this.#giveBack();
    }
  }

  /** Returns a fault that found no bytes, so that it can strike another response. */
  #giveBack(): void {
    const { fault } = this;
    const isDripping = fault?.kind === "slow-drip" && this.#bodyBytes > 0;
    this.fault = undefined;
    if (fault !== undefined && !isDripping) {
      this.#options.onUnused(fault);
    }
  }

  #hear(bytes: Buffer): void {
    this.#requested += bytes.toString("latin1");
    const end = this.#requested.indexOf(endOfHead);
    if (end < 0) {
      return;
    }
    const head = this.#requested.slice(0, end + endOfHead.length);
    this.#requested = this.#requested.slice(head.length);
    this.isResponding = true;
    this.#head = "";
    this.#inBody = false;
    this.#responseLength = undefined;
    const fault = this.#options.onRequest(head.split(" ", 2)[1] ?? "/");
    if (fault !== undefined) {
      this.#options.onStrike(fault);
    }
    switch (fault?.kind) {
      case "reset-before-headers":
        this.#reset();
        return;
      case "half-open-headers":
        this.#isSilent = true;
        return;
      case "reset-during-headers":
        this.#breaksHead = true;
        break;
      default:
        if (fault !== undefined && isRefusal(fault.kind)) {
          void this.#refuse(fault.kind);
          return;
        }
    }
    this.#forward(head);
  }

  #forward(head: string): void {
    if (this.#server === undefined) {
      this.#server = this.#options.dial();
      this.#server.on("data", (bytes: Buffer) => this.#response(bytes));
      this.#server.on("error", () => this.#lost());
      this.#server.on("end", () => this.#lost());
    }
    this.#server.write(head, "latin1");
  }

  /** Ends the client's connection when the server's is lost; a silent one stays open. */
  #lost(): void {
    if (!this.#isSilent) {
      void this.#writing.then(() => this.#client.end());
    }
  }

  async #refuse(kind: RefusalKind): Promise<void> {
    const { status, headers, body } = await refusal(kind);
    const lines = Object.entries({
      ...headers,
      "content-length": body.length,
      connection: "close",
    });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    this.#client.write(`HTTP/1.1 ${status} Weather\r\n${head}\r\n`, "latin1");
    this.#client.end(body);
  }

  #response(bytes: Buffer): void {
    if (this.#isSilent || this.#isOver) {
      return;
    }
    if (this.#breaksHead) {
      this.#client.write(bytes.subarray(0, brokenHeadBytes), () => this.#reset());
      this.#isSilent = true;
      return;
    }
    const headLength = this.#inBody ? 0 : this.#passHead(bytes);
    const body = bytes.subarray(headLength);
    this.#write(bytes.subarray(0, headLength));
    if (body.length > 0) {
      this.#responseBody(body);
    }
    this.#responseLength?.take(body);
    if (this.#responseLength?.isOver) {
      this.isResponding = false;
      this.#responseLength = undefined;
      this.#giveBack();
    }
  }

  /** Returns how many of these bytes belong to the head. */
  #passHead(bytes: Buffer): number {
    const before = this.#head.length;
    this.#head += bytes.toString("latin1");
    const end = this.#head.indexOf(endOfHead);
    if (end < 0) {
      return bytes.length;
    }
    this.#inBody = true;
    this.#responseLength = new ResponseLength(this.#head);
    return end + endOfHead.length - before;
  }

  #responseBody(bytes: Buffer): void {
    const { fault } = this;
    const before = this.#bodyBytes;
    this.#bodyBytes += bytes.length;
    if (fault === undefined || (fault.kind !== "slow-drip" && this.#bodyBytes <= fault.bytes)) {
      this.#write(bytes);
      return;
    }
    if (fault.kind === "slow-drip") {
      this.#drip(bytes, before, fault);
      return;
    }
    this.#write(bytes.subarray(0, Math.max(0, fault.bytes - before)));
    this.#strike(fault);
  }

  #strike(fault: Fault): void {
    this.fault = undefined;
    this.#options.onStrike(fault);
    switch (fault.kind) {
      case "half-open-body":
        this.#isSilent = true;
        return;
      case "body-end":
        this.#isSilent = true;
        void this.#writing.then(() => this.#client.end());
        return;
      default:
        void this.#writing.then(() => this.#reset());
    }
  }

  #drip(bytes: Buffer, before: number, fault: Fault): void {
    if (before === 0) {
      this.#options.onStrike(fault);
    }
    let at = 0;
    for (; at < bytes.length && before + at < drippingBytes; at += fault.bytes) {
      this.#write(bytes.subarray(at, at + fault.bytes));
      this.#pause();
    }
    this.#write(bytes.subarray(at));
    if (this.#bodyBytes >= drippingBytes) {
      this.fault = undefined;
    }
  }

  #write(bytes: Buffer): void {
    if (bytes.length > 0) {
      this.#writing = this.#writing.then(() => {
        if (!this.#isOver) {
          this.#client.write(bytes);
        }
      });
    }
  }

  #pause(): void {
    const { clock } = this.#options;
    this.#writing = this.#writing.then(
      () => new Promise((resolve) => void clock.schedule(dripMs, () => resolve())),
    );
  }

  /**
   * Sends RST instead of FIN. After FIN was sent, a reset would be refused, and the open handle would keep the process
   * from exiting.
   */
  #reset(): void {
    if (!this.#isOver) {
      if (!this.#client.writableEnded) {
        this.#socket.resetAndDestroy();
      }
      this.destroy();
    }
  }
}
