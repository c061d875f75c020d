// The requirements on a client and a server of the API, in a few words each. `api-coverage.mjs` finds the tests that
// carry an ID.

/** Sections: title, and rows of an ID (or a range of IDs) and its description. */
export const parts = [
  [
    "Groups, versions, paths, verbs, names",
    `
    GRP1 one object whatever it travels in
    GRP2 alpha versions are off, and a missing one is named
    GRP3 beta versions are off
    GRP4 when betas end
    GRP5 stable versions are never noted
    GRP6 paths of the core group
    GRP7 paths of named groups
    GRP8 a body that contradicts its path
    GRP9 the syntax of runtimeConfig
    GRP10 groups that appear after a restart
    GRP11 no kind is taken for granted
    GRP12 what descriptors know equals discovery
    GRP13 kinds that stand for an operation
    GRP14 names are taken once per kind and namespace
    GRP15 a name that is used again is another object
    GRP16 which creates may be sent twice
    GRP17 verbs as the API spells them
    GRP18 what makes a GET a list, a get or a watch
    GRP19 a PUT that creates
    GRP20 a PATCH that creates
    GRP21 scope decides the path
    GRP22 all namespaces: reading only
    GRP23 rights of a namespace
    GRP24 a namespace takes its contents with it
    GRP25 paths of namespaces themselves
    GRP26 paths as documented
    GRP27 subresources and their verbs
    GRP28 no subresource of a collection
    GRP29 rights of a subresource
    GRP30 many objects: a series, a result each
    GRP31 deleting a collection is not atomic
    GRP32 every failure of many is kept
    GRP33 all state is objects
  `,
  ],
  [
    "Watches",
    `
    WAT1 nothing is lost between list and watch
    WAT2 events cut anywhere
    WAT3 types of events, unknown ones too
    WAT4 a broken watch goes on where it was
    WAT5 history that is gone
    WAT6 watching one object
    WAT7 bookmarks
    WAT8 bookmarks are asked for, and may never come
    WAT9 the present as events, then a bookmark
    WAT10 initial events need their match
    WAT11 refused combinations of watch options
    WAT12 initial events without a version are the newest
    WAT13 initial events from a version on
    WAT14 initial events move no version
    WAT15 the mark at the end of initial events
    WAT16 servers without initial events
    WAT17 a version of the future
    WAT18 list-then-watch is ready-made
    WAT19 events do not tell the verb
    WAT20 limits do not concern watches; tables can be watched
    WAT21 watches in each encoding
  `,
  ],
  [
    "Pages and collections",
    `
    CHK1 a page and its token
    CHK2 pages are asked for with the same selectors
    CHK3 the two forms of the last page
    CHK4 pages are one picture
    CHK5 a token that is gone
    CHK6 counts of items still to come
    CHK7 counts are estimates
    CHK8 short pages
    CHK9 tokens that nobody understands
    CHK10 memory of one page
    CHK11 servers that know no limit
    CHK12 kinds of lists
    CHK13 items get their kind
    CHK14 kubectl's List
    CHK15 encodings that are built whole
    CHK16 limits below zero
  `,
  ],
  [
    "Tables",
    `
    TAB1 a table and its parts
    TAB2 what came is told by its kind
    TAB3 kinds without columns
    TAB4 objects where there is no table
    TAB5 no table, and nothing else wanted
    TAB6 the older form
    TAB7 tables come in few encodings
    TAB8 tables are for people
    TAB9 tables of any kind
  `,
  ],
  [
    "Encodings and views",
    `
    ALT1 four encodings
    ALT2 their media types
    ALT3 the answer says what it is
    ALT4 nothing acceptable
    ALT5 errors in each encoding
    ALT6 bodies of foreign types
    ALT7 requests and answers differ
    ALT8 which success codes there are
    ALT9 YAML both ways
    ALT10 scalars of YAML 1.1
    ALT11 the protobuf envelope
    ALT12 its content fields
    ALT13 foreign prefixes
    ALT14 kind and apiVersion inside of it
    ALT15 JSON is the second choice
    ALT16 what cannot be protobuf is remembered
    ALT17 CBOR only where it was seen
    ALT18 one CBOR item per body
    ALT19 watches in CBOR
    ALT20 patches in CBOR
    ALT21 metadata in each encoding
    ALT22 the metadata view
    ALT23 metadata of lists has another name
    ALT24 servers without the metadata view
    ALT25 order of preference
    ALT26 metadata in protobuf
    ALT27 gzip
    ALT28 answers without gzip
    ALT29 indented JSON
  `,
  ],
  [
    "Updates and patches",
    `
    UPD1 replacing what was read
    UPD2 replacing without a version
    UPD3 conflicts, and trying again
    UPD4 unknown fields survive
    UPD5 which way to write
    UPD6 kinds of patches
    UPD7 operations and tests
    UPD8 patches from two objects
    UPD9 counting without reading
    UPD10 merge patches
    UPD11 strategic patches are for built-in kinds
    UPD12 patches of one version only
    UPD13 patches of nothing
    UPD14 patches that meet errors
    UPD15 If-Match means nothing
  `,
  ],
  [
    "Deletes",
    `
    DEL1 two steps
    DEL2 finalizers in any order
    DEL3 removing one's own finalizer
    DEL4 the last finalizer
    DEL5 unsafe deletes
    DEL6 unsafe deletes try the ordinary one first
    DEL7 unsafe deletes stand alone
    DEL8 unsafe deletes of good objects
    DEL9 rights of unsafe deletes
    DEL10 no unsafe deletes of many
    DEL11 what becomes of dependents
    DEL12 deletes of one UID only
  `,
  ],
  [
    "Dry runs",
    `
    DRY1 every write can be one
    DRY2 which words there are
    DRY3 dry deletes say so in the body
    DRY4 everything but the storing
    DRY5 answers as of the real thing
    DRY6 nothing is left behind
    DRY7 webhooks with side effects
    DRY8 what differs each time
    DRY9 rights are the same
    DRY10 servers that are too old
  `,
  ],
  [
    "Server-side apply",
    `
    SSA1 its media type
    SSA2 managers are named
    SSA3 managers of other writes
    SSA4 parts of objects
    SSA5 defaults
    SSA6 applying nothing
    SSA7 made or merged
    SSA8 conflicts
    SSA9 taking fields
    SSA10 leaving fields out
    SSA11 sharing values
    SSA12 shared values that change
    SSA13 leaving a shared field
    SSA14 what nobody owns goes
    SSA15 other writes take ownership
    SSA16 entries of managers
    SSA17 no managedFields in an apply
    SSA18 managedFields in an update
    SSA19 clearing managedFields
    SSA20 empty managedFields
    SSA21 clearing with other changes
    SSA22 fields that do not exist
    SSA23 odd characters
    SSA24 large numbers
    SSA25 what merging does
    SSA26 kinds of lists
    SSA27 duplicates in sets
    SSA28 keys of list maps
    SSA29 atomic maps
    SSA30 lists by their merge key
    SSA31 lists of custom resources
    SSA32 lists that become atomic
    SSA33 lists that cease to be
    SSA34 controllers force
    SSA35 fields that were never applied
    SSA36 versions as preconditions
    SSA37 handing over to a controller
    SSA38 handing over between appliers
    SSA39 what cannot be applied
    SSA40 managers of subresources
    SSA41 from client-side apply
    SSA42 managers over versions
    SSA43 people do not see managedFields
    SSA44 servers without apply
  `,
  ],
  [
    "Field validation",
    `
    FLD1 types are always checked
    FLD2 three words, and no other
    FLD3 ignoring
    FLD4 warning
    FLD5 refusing
    FLD6 refusing patches
    FLD7 several problems at once
    FLD8 what is dropped
    FLD9 duplicates in YAML
    FLD10 the default is the server's
    FLD11 kubectl's words
    FLD12 servers that are too old
  `,
  ],
  [
    "Resource versions",
    `
    RV1 a version is text
    RV2 versions of one resource have an order
    RV3 how they compare
    RV4 what does not compare
    RV5 versions that are no numbers
    RV6 servers that promise no order
    RV7 versions of lists and of items
    RV8 options with versions
    RV9 what get makes of them
    RV10 get has no match
    RV11 lists without match
    RV12 pages without match
    RV13 later pages
    RV14-RV18 matches
    RV19 servers that ignore the match
    RV20 lists not older than what is known
    RV21 any version may go back
    RV22 newest
    RV23 not older than
    RV24 exactly
    RV25 how long old pictures live
    RV26 pages of a version that is gone
    RV27 pages not older than
    RV28 exact lists that are not
    RV29 where a watch begins
    RV30 watches from any version
    RV31 watches without a version
    RV32 410 anywhere
    RV33 versions of the future
    RV34 versions that are no numbers to a server
  `,
  ],
  [
    "Libraries",
    `
    CLI1 typed calls for each kind
    CLI2 credentials from where they are
    CLI3 other libraries
  `,
  ],
  [
    "Expressions and declared rules",
    `
    CEL1-CEL12,CEL20-CEL35,CEL40-CEL54,CEL60-CEL66 expressions
    VAL1-VAL27 rules declared on types
  `,
  ],
  [
    "Deprecation",
    `
    DEP1 order of versions
    DEP2 what the policy covers
    DEP3 no field leaves a version
    DEP4 from version to version and back
    DEP5 nothing less stable is proposed
    DEP6 when versions end
    DEP7 the preferred version
    DEP8 one client over many releases
    DEP9 stored versions stay readable
    DEP10 deprecated fields
    DEP11 warnings
    DEP12 commands
    DEP13 behaviour of packages
    DEP14 feature gates
    DEP15 metrics
  `,
  ],
  [
    "Versions that are gone",
    `
    MIG1-MIG34 each removed version, with what took its place
    MIG40 calling one
    MIG41 switching one off ahead
    MIG42 finding who uses one
    MIG43 finding manifests that use one
  `,
  ],
  [
    "Health",
    `
    HLT1 which endpoints
    HLT2 the status is the verdict
    HLT3 live and ready
    HLT4 checks for people
    HLT5 checks left out
    HLT6 one check
    HLT7 shutting down
    HLT8 not allowed to ask
  `,
  ],
  [
    "Older servers",
    `
    OLD1 versions without order
    OLD2 options that they ignore
    OLD3 no initial events
    OLD4 where old pictures come from
    OLD5 encodings
    OLD6 rights of an apply
    OLD7 410 of one object
    OLD8 unsafe deletes
    OLD9 no warnings
    OLD10 betas that are on
    OLD11 kinds without watch
    OLD12 selfLink
    OLD13 smaller ones, with their rows
  `,
  ],
  [
    "Features by release",
    `
    GAT1-GAT16 stages of features
  `,
  ],
];

/** Reasons why a row, or a range of rows, has no test yet. */
export const reasons = {
  "CEL1-CEL66": "expressions come later",
  "VAL8,VAL11,VAL13,VAL14,VAL18,VAL22,VAL25": "no built-in type of 1.37 has such a rule in force",
  MIG43:
    "a report of a manifest's lines comes with the checks of manifests; what it would say is shown for each version above",
  FLD11: "the words of a command that checks manifests, which comes later",
  CLI3: "nothing to show: it lists other libraries",
  DEP2: "constants of earlier releases are not at hand to compare with; fields are, in the next row",
  DEP12: "about commands: none of ours is deprecated",
  DEP13: "about releases of the packages: there has been none",
  DEP15: "metrics of controllers come with a library for controllers",
};
