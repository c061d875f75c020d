import { KubeConfig } from "@kubernetes/client-node";

/**
 * A configuration for the canned server, nobody in particular. Plain http is refused without `skipTLSVerify`, which also makes
 * client-node open a connection per request, as it does with a `ca`.
 */
export function configFor(url, ca) {
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [
      {
        name: "canned",
        server: url,
        ...(ca ? { caData: Buffer.from(ca).toString("base64") } : { skipTLSVerify: true }),
      },
    ],
    users: [{ name: "nobody" }],
    contexts: [{ name: "canned", cluster: "canned", user: "nobody" }],
    currentContext: "canned",
  });
  return config;
}
