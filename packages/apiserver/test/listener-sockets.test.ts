import { expect, it } from "vitest";
import { createAuthority } from "../src/connections/authority.js";
import { defaultListenLimits } from "../src/connections/listen-options.js";
import { makeServer } from "../src/connections/make-server.js";

it.each([
  ["plain HTTP", undefined],
  ["TLS", createAuthority()],
])("%s: small responses are sent at once (TCP_NODELAY on every connection)", (_, authority) => {
  // Node applies this property of net.Server to each connection that it accepts.
  expect(makeServer(defaultListenLimits, "127.0.0.1", authority)).toMatchObject({ noDelay: true });
});
