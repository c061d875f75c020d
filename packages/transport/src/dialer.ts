import type { Socket } from "node:net";
import { closedError } from "./closed-error.js";
import type { Connected, MakeSocket, Offer } from "./socket-maker.js";

/** Makes sockets and has a hold on those that are being made. */
export interface Dialer {
  dial(offer: Offer, connected: Connected): void;
  /** An exchange begins: attempts keep the process alive. */
  enter(): void;
  /** An exchange is over. */
  leave(): void;
  /** Ends all attempts. */
  stop(): void;
}

/**
 * By itself undici connects anew after a request was aborted, and goes on with an attempt after its client was destroyed;
 * with a server that does not answer, a finished program would live on until the connect timeout. So an attempt keeps the
 * process alive only while an exchange is under way.
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
        // From here on whoever asked decides, and takes for granted that it is held.
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
