import type { Socket } from "node:net";
import { closedError } from "../errors/closed-error.js";
import type { Connected, MakeSocket, Offer } from "./socket-maker.js";

/** Opens sockets and tracks the attempts in progress. */
export interface Dialer {
  dial(offer: Offer, connected: Connected): void;
  /** Called when an exchange starts: attempts keep the process alive. */
  enter(): void;
  /** Called when an exchange is over. */
  leave(): void;
  /** Ends all attempts, later ones too. */
  stop(): void;
}

/**
 * Creates a dialer. On its own, undici reconnects after a request was aborted, and continues an attempt after its
 * client was destroyed; with an unresponsive server, a finished program would stay alive until the connect timeout.
 * With the dialer, an attempt keeps the process alive only while an exchange is active.
 */
export function dialer(makeSocket: MakeSocket): Dialer {
  const attempts = new Set<Socket>();
  let exchanges = 0;
  let isStopped = false;
  const hold = (socket: Socket) => (exchanges > 0 ? socket.ref() : socket.unref());
  const holdAll = () => {
    for (const socket of attempts) {
      hold(socket);
    }
  };
  return {
    dial(offer, connected) {
      const socket = makeSocket(offer, (...result) => {
        attempts.delete(socket);
        // From here on the caller decides; it assumes that the socket keeps the process alive.
        socket.ref();
        connected(...result);
      });
      attempts.add(socket);
      hold(socket);
      if (isStopped) {
        socket.destroy(closedError());
      }
    },
    enter() {
      exchanges += 1;
      if (exchanges === 1 && attempts.size > 0) {
        holdAll();
      }
    },
    leave() {
      exchanges -= 1;
      if (exchanges === 0 && attempts.size > 0) {
        holdAll();
      }
    },
    stop() {
      isStopped = true;
      for (const socket of attempts) {
        socket.destroy(closedError());
      }
    },
  };
}
