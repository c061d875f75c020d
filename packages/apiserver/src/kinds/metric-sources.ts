/** Which field of an autoscaler's metric says more of it, by its type. */
export const metricSources: Readonly<Record<string, string>> = {
  ContainerResource: "containerResource",
  External: "external",
  Object: "object",
  Pods: "pods",
  Resource: "resource",
};
