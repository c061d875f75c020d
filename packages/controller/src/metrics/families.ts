/** Type of a family of metrics. */
export type MetricType = "counter" | "gauge" | "histogram";

/** A family of metrics. */
export interface MetricFamily<T extends MetricType = MetricType> {
  readonly type: T;
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly buckets?: readonly number[] | undefined;
}

/** Buckets in seconds. (controller-runtime `pkg/internal/controller/metrics/metrics.go`) */
const reconcileBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1,
  1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
/** Buckets in seconds: 1e-8 to 1e3. (controller-runtime `pkg/internal/metrics/workqueue.go`) */
const queueBuckets = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000];
/** Buckets in seconds. (controller-runtime `pkg/metrics/client_go_adapter.go`) */
const requestBuckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

/** Buckets in seconds: those of the Prometheus client of Go. */
const latencyBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const ofController = ["controller"] as const;
const ofQueue = ["name", "controller"] as const;

function counter(name: string, help: string, labels: readonly string[]): MetricFamily<"counter"> {
  return { type: "counter", name, help, labels };
}

function gauge(name: string, help: string, labels: readonly string[]): MetricFamily<"gauge"> {
  return { type: "gauge", name, help, labels };
}

function histogram(
  name: string,
  help: string,
  labels: readonly string[],
  buckets: readonly number[],
): MetricFamily<"histogram"> {
  return { type: "histogram", name, help, labels, buckets };
}

/** The families by name. */
export interface FamilyTypes {
  readonly reconcileTotal: MetricFamily<"counter">;
  readonly reconcileErrors: MetricFamily<"counter">;
  readonly terminalErrors: MetricFamily<"counter">;
  readonly panics: MetricFamily<"counter">;
  readonly timeouts: MetricFamily<"counter">;
  readonly adds: MetricFamily<"counter">;
  readonly retries: MetricFamily<"counter">;
  readonly requests: MetricFamily<"counter">;
  readonly requestRetries: MetricFamily<"counter">;
  readonly slowPath: MetricFamily<"counter">;
  readonly conflicts: MetricFamily<"counter">;
  readonly givenUp: MetricFamily<"counter">;
  readonly ownEchoes: MetricFamily<"counter">;
  readonly eventsDropped: MetricFamily<"counter">;
  readonly maxConcurrent: MetricFamily<"gauge">;
  readonly activeWorkers: MetricFamily<"gauge">;
  readonly depth: MetricFamily<"gauge">;
  readonly unfinishedWork: MetricFamily<"gauge">;
  readonly longestRunning: MetricFamily<"gauge">;
  readonly isLeader: MetricFamily<"gauge">;
  readonly paused: MetricFamily<"gauge">;
  readonly stuck: MetricFamily<"gauge">;
  readonly reconcileTime: MetricFamily<"histogram">;
  readonly queueDuration: MetricFamily<"histogram">;
  readonly workDuration: MetricFamily<"histogram">;
  readonly requestDuration: MetricFamily<"histogram">;
  readonly webhookRequests: MetricFamily<"counter">;
  readonly webhookPanics: MetricFamily<"counter">;
  readonly webhooksInFlight: MetricFamily<"gauge">;
  readonly webhookLatency: MetricFamily<"histogram">;
  readonly certificateReads: MetricFamily<"counter">;
  readonly certificateErrors: MetricFamily<"counter">;
}

/**
 * The families of a manager: those of controller-runtime and client-go under their names, so that their dashboards and
 * alerts work, and those of TypeKube. No label is the name, the namespace or the uid of an object.
 */
export const families: FamilyTypes = {
  reconcileTotal: counter(
    "controller_runtime_reconcile_total",
    "Total number of reconciliations per controller",
    ["controller", "result"],
  ),
  reconcileErrors: counter(
    "controller_runtime_reconcile_errors_total",
    "Total number of reconciliation errors per controller",
    ofController,
  ),
  terminalErrors: counter(
    "controller_runtime_terminal_reconcile_errors_total",
    "Total number of terminal reconciliation errors per controller",
    ofController,
  ),
  // Stays 0: an exception of a reconciler is its way to return an error.
  panics: counter(
    "controller_runtime_reconcile_panics_total",
    "Total number of reconciliation panics per controller",
    ofController,
  ),
  timeouts: counter(
    "controller_runtime_reconcile_timeouts_total",
    "Total number of reconciliation timeouts per controller",
    ofController,
  ),
  reconcileTime: histogram(
    "controller_runtime_reconcile_time_seconds",
    "Length of time per reconciliation per controller",
    ofController,
    reconcileBuckets,
  ),
  maxConcurrent: gauge(
    "controller_runtime_max_concurrent_reconciles",
    "Maximum number of concurrent reconciles per controller",
    ofController,
  ),
  activeWorkers: gauge(
    "controller_runtime_active_workers",
    "Number of currently used workers per controller",
    ofController,
  ),
  depth: gauge("workqueue_depth", "Current depth of workqueue by workqueue and priority", [
    ...ofQueue,
    "priority",
  ]),
  adds: counter("workqueue_adds_total", "Total number of adds handled by workqueue", ofQueue),
  queueDuration: histogram(
    "workqueue_queue_duration_seconds",
    "How long in seconds an item stays in workqueue before being requested",
    ofQueue,
    queueBuckets,
  ),
  workDuration: histogram(
    "workqueue_work_duration_seconds",
    "How long in seconds processing an item from workqueue takes.",
    ofQueue,
    queueBuckets,
  ),
  unfinishedWork: gauge(
    "workqueue_unfinished_work_seconds",
    "How many seconds of work is in progress and hasn't been observed by work_duration. Large values indicate stuck runs.",
    ofQueue,
  ),
  longestRunning: gauge(
    "workqueue_longest_running_processor_seconds",
    "How many seconds has the longest running processor for workqueue been running.",
    ofQueue,
  ),
  retries: counter(
    "workqueue_retries_total",
    "Total number of items added to the workqueue with a delay",
    ofQueue,
  ),
  requests: counter(
    "rest_client_requests_total",
    "Number of HTTP requests, partitioned by status code, method, and host.",
    ["code", "method", "host"],
  ),
  requestDuration: histogram(
    "rest_client_request_duration_seconds",
    "Request latency in seconds. Broken down by verb and host.",
    ["verb", "host"],
    requestBuckets,
  ),
  requestRetries: counter(
    "rest_client_request_retries_total",
    "Number of request retries, partitioned by status code, verb, and host.",
    ["code", "verb", "host"],
  ),
  isLeader: gauge(
    "leader_election_master_status",
    "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master. 'name' is the string used to identify the lease. Please make sure to group by name.",
    ["name"],
  ),
  slowPath: counter(
    "leader_election_slowpath_total",
    "Total number of slow path exercised in renewing leader leases. 'name' is the string used to identify the lease. Please make sure to group by name.",
    ["name"],
  ),
  webhookRequests: counter(
    "controller_runtime_webhook_requests_total",
    "Total number of admission requests by HTTP status code.",
    ["webhook", "code"],
  ),
  webhookPanics: counter(
    "controller_runtime_webhook_panics_total",
    "Total number of webhook panics",
    [],
  ),
  webhooksInFlight: gauge(
    "controller_runtime_webhook_requests_in_flight",
    "Current number of admission requests being served.",
    ["webhook"],
  ),
  webhookLatency: histogram(
    "controller_runtime_webhook_latency_seconds",
    "Histogram of the latency of processing admission requests",
    ["webhook"],
    latencyBuckets,
  ),
  certificateReads: counter(
    "certwatcher_read_certificate_total",
    "Total number of certificate reads",
    [],
  ),
  certificateErrors: counter(
    "certwatcher_read_certificate_errors_total",
    "Total number of certificate read errors",
    [],
  ),
  conflicts: counter(
    "typekube_reconcile_conflicts_total",
    "Failed runs whose error was a conflict, which are errors of controller_runtime_reconcile_total, too",
    ofController,
  ),
  givenUp: counter(
    "typekube_reconcile_abandoned_total",
    "Keys whose attempts were used up",
    ofController,
  ),
  ownEchoes: counter(
    "typekube_own_echo_total",
    "Changes that caused no run because the controller had made them",
    ofController,
  ),
  paused: gauge("typekube_paused_objects", "Objects that are paused", ofController),
  stuck: gauge(
    "typekube_finalizer_stuck_objects",
    "Objects with a finalizer of the controller whose deletion began more than an hour ago",
    ofController,
  ),
  eventsDropped: counter("typekube_events_dropped_total", "Events that were not recorded", [
    "controller",
    "reason",
  ]),
};

/** Name of a family in {@link families}. */
export type FamilyName = keyof FamilyTypes;
