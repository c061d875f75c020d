import { KubeConfig } from "@kubernetes/client-node";

/**
 * A configuration for the canned server, nobody in particular. Plain http is refused without `skipTLSVerify`, which also makes
 * client-node open a connection per request, as it does with a `ca`; over TLS without one it keeps connections, which needs a CA that
 * Node itself trusts (NODE_EXTRA_CA_CERTS).
 */
export function configFor(url, ca) {
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [
      {
        name: "canned",
        server: url,
        ...(ca ? { caData: Buffer.from(ca).toString("base64") } : {}),
        ...(url.startsWith("https:") ? {} : { skipTLSVerify: true }),
      },
    ],
    users: [{ name: "nobody" }],
    contexts: [{ name: "canned", cluster: "canned", user: "nobody" }],
    currentContext: "canned",
  });
  return config;
}
