/** Names of the parts of the benchmarks; each part has a page of its own. */
export const topicNames = ["cel", "client", "controllers", "explore", "fields", "pods"] as const;

export type TopicName = (typeof topicNames)[number];

/** A part of the benchmarks. */
export interface Topic {
  /** Heading of its page. */
  readonly title: string;
  /** First sentence of its page. */
  readonly subject: string;
  readonly page: string;
  /** Explanations of the table of goals that only this part needs. */
  readonly notes: readonly string[];
}

export const topics: Readonly<Record<TopicName, Topic>> = {
  cel: {
    title: "Performance of CEL and custom resources",
    subject:
      "The cost of validation rules compared with Kubernetes' own packages (cel-go), beside its goals.",
    page: "docs/performance-of-cel.md",
    notes: [
      "cel-go runs as in kube-apiserver: with its environment, its conversion of values and its costs, on two cores. Both validate an object by a schema with one rule.",
      "`growth` of definitions is the heap that a server keeps above that of an idle one, the code of CEL included.",
      "The import of CEL includes that of the pattern engine.",
    ],
  },
  client: {
    title: "Performance",
    subject: "The cost of TypeKube compared with other clients, beside its goals.",
    page: "docs/performance.md",
    notes: [
      '"floor" is undici with `JSON.parse`. client-go reads protobuf and has two cores unless stated otherwise.',
      "GETs in protobuf are compared with the floor, since undici alone takes as long as client-go: 0.93 to 1.03 of its CPU in the run of 2026-11-25.",
      'In rows "without managedFields", and in informers, TypeKube drops managedFields before decoding them. All other rows and programs keep them.',
      "The control is the floor measured a second time: its distance from 1 is noise.",
      '"within noise": the figure is nearer to its goal than the control is to 1, so the verdict means nothing.',
      "Event loop blocks are compared with the floor's, which is one `JSON.parse` of the whole list: 0.025 is 50 ms where that takes two seconds.",
    ],
  },
  controllers: {
    title: "Performance of controllers",
    subject: "The cost of controllers compared with controller-runtime's, beside its goals.",
    page: "docs/performance-of-controllers.md",
    notes: [
      "controller-runtime runs on both cores unless stated otherwise; TypeKube runs JavaScript on one.",
      "Times of a process include its start.",
    ],
  },
  explore: {
    title: "Performance of explore",
    subject:
      "The cost of a search for an operator's failures: a custom resource with three children, on the embedded API server.",
    page: "docs/performance-of-explore.md",
    notes: [
      "A run is complete: the operator starts on a fork of the server, meets its faults, and ends when its world is right and stays so.",
      "The search uses one core; the CPU of other threads is V8's compilation and garbage collection.",
    ],
  },
  fields: {
    title: "Performance of reads with fields, and settings of Node",
    subject:
      "The cost of reads that keep eight fields of each pod, compared with whole pods and with client-go, and what settings of Node change.",
    page: "docs/performance-of-fields.md",
    notes: [
      "Whole pods are without managedFields. client-go reads protobuf and has two cores; with eight fields, a transform drops the others.",
      '"undici, frames counted" receives the same bytes and decodes nothing; "frames decoded into a map" also decodes the eight fields, and keeps them without an informer.',
      "The lists with settings are from a kube-apiserver, which shares the cores.",
      "For comparison, a prototype with tables thinned by hand, on another machine: a sync of 50,000 pods took 0.36 of the main-thread CPU of whole pods (448 of 1,255 ms), kept 28 MB instead of 118, and needed 143 MB at its peak, where whole pods needed 282 and client-go 718.",
    ],
  },
  pods: {
    title: "Performance of calls into pods",
    subject:
      "The cost of exec, port-forward, logs and cp compared with client-go and kubectl, beside its goals.",
    page: "docs/performance-of-pods.md",
    notes: [
      "client-go and kubectl run on both cores, which they share with the server; TypeKube runs JavaScript on one.",
      '"growth" is the memory above that of the idle program.',
    ],
  },
};

/** Returns the part of the benchmarks that a task belongs to, by its name. */
export function topicOf(task: string): TopicName {
  return /^cel-/.test(task)
    ? "cel"
    : /^(real-)?controller-/.test(task)
      ? "controllers"
      : /^pod-/.test(task)
        ? "pods"
        : /^explore-/.test(task)
          ? "explore"
          : /^(fields|settings)-/.test(task)
            ? "fields"
            : "client";
}
