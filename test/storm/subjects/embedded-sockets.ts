import { connect as dial } from "node:net";
import { type JournalEntry, startApiServer } from "@typekube/apiserver";
import { connect } from "typekube";
import type { StormSubject } from "../subject.js";
import { socketClock, socketSubject } from "./sockets.js";

/** Starts the embedded server with a listener. */
export async function embeddedSocketsSubject(seed: number): Promise<StormSubject> {
  const clock = socketClock();
  const api = await startApiServer({ seed, clock });
  const { server: url } = await api.listen({ tls: false, anonymous: true });
  const { hostname, port } = new URL(url);
  const server = {
    name: "the embedded server on sockets",
    hasBookmarks: true,
    writer: await connect({ transport: api }),
    dial: () => dial(Number(port), hostname),
    compact: async () => {
      api.dropWatches();
      api.compact();
    },
    crash: async () => {
      api.dropWatches();
    },
    tidy: () => {
      (api.requests as JournalEntry[]).length = 0;
    },
    close: () => api.close(),
  };
  return socketSubject(server, clock);
}
