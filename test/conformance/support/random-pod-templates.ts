import type { PodTemplate } from "@typekube/api/core/v1";

type Container = NonNullable<
  NonNullable<NonNullable<PodTemplate["template"]>["spec"]>["containers"]
>[number];

/**
 * Returns a PodTemplate that every server accepts. It uses few names, so that two of them have much in common. Every
 * field may change, and its lists are merged by a key, by value, or not at all.
 *
 * @param protocols - of port 53, whose number is the merge key; with two protocols the number is not unique.
 */
export function randomPodTemplate(
  name: string,
  random: () => number,
  protocols: readonly ("TCP" | "UDP")[] = ["TCP"],
): PodTemplate {
  const int = (below: number) => Math.floor(random() * below);
  const some = <T>(all: readonly T[]): T[] =>
    all
      .filter(() => random() < 0.5)
      .map((one) => [random(), one] as const)
      .sort(([a], [b]) => a - b)
      .map(([, one]) => one);
  const words = (keys: readonly string[]) =>
    Object.fromEntries(some(keys).map((key) => [key, `v${int(3)}`]));

  const container = (named: string): Container => ({
    name: named,
    image: `registry.k8s.io/pause:${int(3)}`,
    command: some(["run", "walk"]),
    env: some(["A", "B", "C"]).map((key) => ({ name: key, value: String(int(3)) })),
    ports: some([
      ...protocols.map((protocol) => ({ containerPort: 53, protocol })),
      { containerPort: 80 },
      { containerPort: 90, name: `p${int(2)}` },
    ]),
    resources: random() < 0.5 ? { requests: { cpu: `${1 + int(3)}` } } : undefined,
    volumeMounts: some(["v0", "v1"]).map((volume) => ({ name: volume, mountPath: `/${volume}` })),
  });
  const sources = [
    { emptyDir: {} },
    { configMap: { name: "c" } },
    { hostPath: { path: "/x" } },
    { secret: { secretName: "s", optional: true } },
  ];
  return {
    metadata: {
      name,
      labels: words(["app", "app.kubernetes.io/name", "tier"]),
      annotations: words(["x.io/a_b", "note"]),
      finalizers: some(["x.io/a", "x.io/b", "x.io/c"]),
    },
    template: {
      metadata: { labels: words(["app", "tier"]) },
      spec: {
        initContainers: some(["init", "wait"]).map(container),
        containers: ["web", ...some(["log", "proxy", "sidecar"])]
          .map((one) => [random(), one] as const)
          .sort(([a], [b]) => a - b)
          .map(([, one]) => container(one)),
        volumes: ["v0", "v1", ...some(["v2"])].map((volume) => ({
          name: volume,
          ...sources[int(sources.length)],
        })),
        tolerations: some(["t1", "t2"]).map((key) => ({ key, operator: "Exists" as const })),
        nodeSelector: words(["zone", "disk"]),
        hostAliases: some(["10.0.0.1", "10.0.0.2"]).map((ip) => ({ ip, hostnames: ["h"] })),
        imagePullSecrets: some(["one", "two"]).map((secret) => ({ name: secret })),
        securityContext: random() < 0.5 ? { runAsUser: int(3) } : undefined,
        terminationGracePeriodSeconds: int(2) * 30,
      },
    },
  };
}
