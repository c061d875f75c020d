import { connect } from "typekube";
import { Pod } from "typekube/api/core/v1";

// Calls into a pod, and no close of the client: the process must exit by itself unless a session is open.
const [, , server = "", mode] = process.argv;
const client = await connect({ server });
const pod = client.resource(Pod, "default").named("web-0");
const { stdout } = await pod.exec(["upper"], { stdin: "done" });
const forward = await pod.portForward(80);
const socket = forward.socket();
socket.end("sent");
for await (const chunk of socket) {
  console.log(String(chunk));
}
await forward.close();
if (mode === "input") {
  await pod.exec(["true"], { stdin: process.stdin });
}
const session = await pod.exec(["sleep"], { session: true });
if (mode !== "open") {
  await session.close();
}
console.log(stdout);
