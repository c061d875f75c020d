/** Field with the details of an autoscaler metric, by metric type. */
export const metricSources: Readonly<Record<string, string>> = {
  ContainerResource: "containerResource",
  External: "external",
  Object: "object",
  Pods: "pods",
  Resource: "resource",
};
