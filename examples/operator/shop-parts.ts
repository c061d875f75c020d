import type { Live } from "typekube";
import type { Shop } from "./shop.js";

/** The Deployment of a shop. */
export function deploymentOf({ metadata, spec }: Live<Shop>) {
  const labels = { app: metadata.name };
  const credentials = spec.credentials;
  return {
    metadata: { name: metadata.name },
    spec: {
      replicas: spec.replicas ?? 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: "shop",
              image: spec.image,
              ports: [{ containerPort: 8080 }],
              ...(credentials === undefined
                ? {}
                : { envFrom: [{ secretRef: { name: credentials } }] }),
            },
          ],
        },
      },
    },
  };
}

/** The Service of a shop. */
export function serviceOf({ metadata }: Live<Shop>) {
  return {
    metadata: { name: metadata.name },
    spec: { selector: { app: metadata.name }, ports: [{ port: 80, targetPort: 8080 }] },
  };
}
