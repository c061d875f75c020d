import type { Socket } from "node:net";
import { KubeError } from "@typekube/core";
import type { WireController, WireDispatcher, WireHandler, WireRequest } from "../exchange/wire.js";
import type { Dialer } from "../sockets/dialer.js";
import { ResponseParser } from "./response-parser.js";

/** Settings of an {@link upgradeDispatcher}. */
export interface UpgradeSettings {
  readonly dialer: Dialer;
  /** `host:port` of the server, for the Host header. */
  readonly host: string;
  readonly maxHeaderBytes: number;
}

/** A dispatcher that can cut its connection. */
export interface UpgradeDispatcher extends WireDispatcher {
  /** Cuts the connection, unless it was handed over. */
  close(): void;
}

/**
 * Creates a dispatcher for one request that asks for another protocol, on a connection of its own. undici ends a
 * connection whose upgrade is refused without showing the response, so the request is written here.
 */
export function upgradeDispatcher(settings: UpgradeSettings): UpgradeDispatcher {
  let socket: Socket | undefined;
  let isClosed = false;
  return {
    dispatch(request, handler) {
      settings.dialer.dial("http/1.1", (error, connected) => {
        if (error !== null) {
          handler.onResponseError(nothingToControl, error);
        } else if (isClosed) {
          connected.destroy();
        } else {
          socket = connected;
          exchangeOn(connected, request, handler, settings, () => {
            socket = undefined;
          });
        }
      });
    },
    close() {
      isClosed = true;
      socket?.destroy();
    },
  };
}

const nothingToControl: WireController = { abort() {}, pause() {}, resume() {} };

/** @param handOver - called when the socket belongs to the receiver of the upgrade. */
function exchangeOn(
  socket: Socket,
  request: WireRequest,
  handler: WireHandler,
  { host, maxHeaderBytes }: UpgradeSettings,
  handOver: () => void,
): void {
  const controller: WireController = {
    abort: () => socket.destroy(),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  };
  let isOver = false;
  const stop = () => {
    isOver = true;
    socket.off("data", onData);
    socket.off("end", onEnd);
    socket.off("close", onClose);
    socket.off("error", fail);
  };
  const fail = (error: Error) => {
    if (!isOver) {
      stop();
      socket.on("error", () => {});
      socket.destroy();
      handler.onResponseError(controller, error);
    }
  };
  let upgradedWith: Record<string, string> | undefined;
  const parser = new ResponseParser(
    {
      onHead(status, headers) {
        if (status === 101) {
          upgradedWith = headers;
        } else {
          handler.onResponseStart(controller, status, headers);
        }
      },
      onData: (bytes) => handler.onResponseData(controller, bytes),
      onEnd(rest) {
        stop();
        if (upgradedWith === undefined) {
          socket.on("error", () => {});
          socket.end(() => socket.destroy());
          handler.onResponseEnd(controller);
        } else {
          socket.pause();
          handOver();
          handler.onProtocolSwitch?.(upgradedWith, socket, rest);
        }
      },
    },
    maxHeaderBytes,
  );
  const onData = (chunk: Buffer) => {
    try {
      parser.read(chunk);
    } catch (error) {
      fail(error as Error);
    }
  };
  const onEnd = () => {
    if (!parser.end()) {
      fail(closedByServer());
    }
  };
  const onClose = () => fail(closedByServer());
  try {
    handler.onRequestStart(controller);
    const head = requestHead(request, host);
    socket.on("data", onData);
    socket.on("end", onEnd);
    socket.on("close", onClose);
    socket.on("error", fail);
    socket.write(head);
    socket.resume();
  } catch (error) {
    // The receiver ended the exchange, or the request cannot be sent; there is nothing on the connection.
    fail(error as Error);
  }
}

/** An error that is read as a connection that the server closed. */
function closedByServer(): Error {
  return Object.assign(new Error("the server closed the connection"), { code: "UND_ERR_SOCKET" });
}

function requestHead({ method, path, headers }: WireRequest, host: string): Buffer {
  if (!/^\/[\x21-\x7e]*$/.test(path)) {
    throw new KubeError("InvalidArgument", "the request cannot be sent: its path is not encoded");
  }
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}`];
  for (const [name, given] of Object.entries(headers)) {
    for (const value of Array.isArray(given) ? (given as string[]) : [given]) {
      if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
        throw new KubeError(
          "InvalidArgument",
          `the request cannot be sent: the header ${JSON.stringify(name)} is invalid`,
        );
      }
      lines.push(`${name}: ${value}`);
    }
  }
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}
