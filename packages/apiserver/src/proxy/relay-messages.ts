import type { WebSocketConnection } from "@typekube/transport/internal";

/** Passes messages between two WebSockets until both are closed, with the code with which either was closed. */
export async function relayMessages(
  one: WebSocketConnection,
  other: WebSocketConnection,
): Promise<void> {
  await Promise.all([relay(one, other), relay(other, one)]);
}

async function relay(from: WebSocketConnection, to: WebSocketConnection): Promise<void> {
  for (;;) {
    const message = await from.next();
    if (message === undefined) {
      break;
    }
    await to.send(message.bytes, { kind: message.kind });
  }
  const { code, reason } = await from.ended;
  if (code === 1006) {
    to.destroy();
  } else {
    to.close(code === 1005 ? 1000 : code, reason);
  }
}
