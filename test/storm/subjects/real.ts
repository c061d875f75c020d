import { connect as dial } from "node:tls";
import { startRealServer } from "@typekube/test-support/real-server/real-server";
import { connect } from "typekube";
import type { StormSubject } from "../subject.js";
import { socketClock, socketSubject } from "./sockets.js";

/** Starts a real kube-apiserver; returns `undefined` when none is available. Its crash is a SIGKILL. */
export async function realSubject(): Promise<StormSubject | undefined> {
  const real = await startRealServer();
  if (real === undefined) {
    return undefined;
  }
  const { token, ca } = real.connectOptions();
  const { hostname, port } = new URL(real.url);
  const writer = await connect(real.connectOptions());
  const { gitVersion } = await writer.version();
  const server = {
    name: `a real kube-apiserver ${gitVersion}`,
    writer,
    // The server sends one per minute, in which more than an hour passes on the informers' clock.
    hasBookmarks: false,
    token,
    dial: () => dial({ host: hostname, port: Number(port), ca }),
    compact: () => real.compact(),
    crash: () => real.restart(),
    tidy: () => {},
    close: () => real.close(),
  };
  return socketSubject(server, socketClock());
}
