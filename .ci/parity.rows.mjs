// The behaviours that a test double of the Kubernetes API must share with a real server, each with the IDs at the start
// of the titles of its tests. `WAT9*` matches every ID that begins with `WAT9`.

/** Sections: title, and rows of a description and its IDs. */
export const parts = [
  [
    "Versions and reading",
    `
    one resourceVersion counter for all kinds :: RV2
    a watch can start at a list's resourceVersion, even of an empty list :: WAT1 RV7
    reads: any, most recent, not older than, exact :: RV9 RV11 RV24 RV34 RV12
    an expired resourceVersion is 410, in lists, pages and watches :: RV24-expired P3 WAT5 ES3
    a future resourceVersion waits, then gets 504 :: RV33 RV33-client WAT17
    pages with continue tokens, an inconsistent token after 410, remaining counts :: CHK1 CHK2 CHK4 CHK7 CHK9 P3 P4 RV13
    lists are sorted by namespace and name :: list-order
    label selectors, set-based ones too; 400 for invalid ones :: labels-*
    field selectors: those of each kind, and those of a definition :: fields-* ES14-selectable
    shards of a collection by hash (shardSelector) :: SHD-* ES31
  `,
  ],
  [
    "Watching",
    `
    replay from a resourceVersion :: WAT1 watch-live
    selectors: an object that begins to match is added, one that stops matching is deleted :: watch-selector-enter-leave ES4
    a deletion carries the last state and a new resourceVersion :: watch-deleted-version
    bookmarks :: WAT8 ALT21-bookmark
    streaming lists: initial events, then the end bookmark :: WAT9* WAT12 WAT13* WAT15 streaming-list-*
    expired resourceVersions are an event in a watch :: WAT5
    a watch ends after timeoutSeconds :: watch-timeout
    each event is encoded once for all watches :: ES28
  `,
  ],
  [
    "Writing",
    `
    409 for a stale resourceVersion, in PUT and PATCH :: UPD1 UPD12 UPD3
    the server sets uid, creationTimestamp and generated names :: create-fills-metadata create-ignores-system-fields generate-name*
    the generation counts changes of the spec :: generation generation-custom
    a write without a change is not stored :: update-no-change patch-no-change apply-no-change
    JSON patch and merge patch :: json-patch-* UPD7 UPD10 merge-replaces-lists
    strategic merge patch by the markers of the schema :: strategic-* UPD11
    server-side apply: owners, conflicts, force, removal :: SSA*
    managedFields of updates, patches and subresources :: SSA40 custom-managed-fields SSA3
    status has its own subresource :: status-*
    scale, eviction, binding, ephemeral containers, resize, tokens, approval :: scale-* eviction* binding ephemeral-containers resize token-request certificate-* GRP27*
    dry runs do everything except storing :: DRY*
    unknown and duplicate fields: Ignore, Warn, Strict :: FLD*
    defaults of built-in kinds :: defaults-*
    rules of built-in kinds :: kind-rules-* found-*
    limits and quotas of namespaces :: limits-* quota-*
    admission webhooks: order, selectors, versions, verdicts, failures, reinvocation, conditions :: CT9*
    warnings as headers :: FLD4 ES15-deprecated ES14-finalizers
    warnings about objects, deprecated types :: ES12 DEP11-*
  `,
  ],
  [
    "Deleting",
    `
    finalizers hold an object in two phases :: DEL1* DEL2 DEL4 finalizer-too-late
    preconditions on uid and version :: DEL12 delete-precondition-version
    grace periods of pods :: delete-pod-*
    background, foreground, orphan :: delete-foreground delete-orphan DEL11 gc-*
    deleting a collection, object by object :: delete-collection-* GRP31
    deleting a namespace deletes its contents :: GRP24 namespace-* DEL1-namespace
    garbage collection, if enabled :: gc-* ES22
    Deployments, Jobs and others create their pods, if enabled :: deployment-* job-* endpoint-slice
  `,
  ],
  [
    "Custom resources",
    `
    definitions are checked, established, and their names may conflict :: ES13*
    schemas: validation, pruning, defaults, ratcheting :: ES14*
    conversion between versions: none, by function, by webhook :: ES15*
    status, scale, columns and selectable fields :: ES10-custom* ES11-custom* TAB9-columns ES14-selectable
    rules in CEL: outcomes, updates, what a definition may contain :: VR2-updates VR3-definitions VR9-objects
  `,
  ],
  [
    "HTTP",
    `
    JSON, YAML, protobuf, CBOR in both directions, and rejected types :: ALT*
    gzip: large responses, streaming lists member by member :: ALT27 ALT28
    tables and the metadata view :: TAB* table-* ALT21* ALT22 ALT23
    a Status with reason, details and causes for every error :: error-* access-refusals create-bad-name
    discovery, unaggregated and aggregated with an ETag :: discovery-* GRP12 ES19
    OpenAPI v3 by hash, v2 in JSON and protobuf, definitions too :: openapi-* ES19
    health :: HLT*
    users, permissions, impersonation, reviews :: access-* GRP23 GRP29 can* rules who-am-i §3.20
    429 with Retry-After :: error-too-many-requests ES25
    logs, exec, attach and port-forward by handlers of the test :: §3.21
  `,
  ],
  [
    "Controls that a real server does not have",
    `
    faults by rule :: ES25
    virtual time :: ES23
    held events; waiting until the server is idle :: ES24
    a journal of requests :: ES26
    snapshots, forks, dumps :: ES27
    two servers over one store, one of them lagging :: ES29
    earlier releases :: ES31 OLD* DEP14
  `,
  ],
  [
    "Other programs",
    `
    kubectl 1.32: more than a hundred commands print the same :: ES32-kubectl*
    kubectl: logs, exec, port-forward, watches :: §3.32
    client-go 0.37: an informer and a work queue, in JSON and in protobuf :: ES32-client-go
    @kubernetes/client-node 2.0: list, watch, informer, patch :: ES32-client-node
  `,
  ],
];

/** Features that are not emulated, and their substitutes. */
export const notEmulated = [
  [
    "etcd and its failures",
    "state is in memory; `compact()`, faults and a lagging replica simulate the effects on the API",
  ],
  [
    "nodes, kubelets, containers, networks",
    "pods are objects; stages change them, handlers supply the output of their containers",
  ],
  [
    "scheduling",
    "there is no scheduler; a binding, or the preset `runPods()`, assigns a pod to a node",
  ],
  [
    "admission policies",
    "their objects are stored, but not evaluated; rules in CEL of definitions are",
  ],
  ["aggregated API servers", "an APIService is stored; requests are not forwarded"],
  ["priority and fairness", "its objects are stored; 429 comes from faults"],
  ["storage versions, encryption, audit, authentication by OIDC", "not available"],
  [
    "descriptions in OpenAPI",
    "schemas have fields and types without descriptions; the paths below `/watch/` and those of discovery are not listed",
  ],
];
