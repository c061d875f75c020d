// The behaviours that informers and watches must show, in a few words each. `informer-behaviours.mjs` finds the tests
// that carry an ID.

/** Sections: title, and rows of an ID and its behaviour. */
export const parts = [
  [
    "Listing and watching",
    `
    R1 an ERROR event without a Status
    R2 ended while watching
    R3 resync periods of handlers
    R4 aborted before the start
    R5 ended while the watch request is pending
    R6 ended before or after the first event
    R7 a watch that ends at once without events
    R8 a watch that ends after an event or a second
    R9 events of another type, and older resourceVersions
    R10 ended from within a handler
    R11 resourceVersions of the first list and the first watch
    R12 failed rounds between successful ones
    R13 five refused connections cost one list
    R14 the back-off stops growing at its maximum
    R15 custom back-off
    R16 429 at the start and as an event
    R17 429 four times
    R18 InternalError within and beyond its window
    R19 a resync that throws
    R20 custom page size
    R21 later lists have no limit
    R22 servers without a watch cache get paged lists only
    R23 a relist names the known resourceVersion
    R24 a list at an expired resourceVersion
    R25 an expired continue token
    R26 a too large resourceVersion, in three dialects
    R27 type description of an informer
    R28 requested duration of a watch
    R29 the resourceVersion follows each event
    R30 memory of objects that a relist removed
    R31 StorageReadError
    R32 number of transform calls
    R33 tables instead of objects
    R34 a list function that throws
    R35 ended during a list, a page, discovery or a back-off
    R36 401 at the start of a watch
    `,
  ],
  [
    "Streaming lists",
    `
    W1 ended before the end bookmark
    W2 switched off
    W3 any error at the start
    W4 rejected by a server that is too old
    W5 complete at the end bookmark, with one request
    W6 changes among the initial events
    W7 429 at the start
    W8 cut before the end bookmark
    W9 cut after the end bookmark
    W10 410 after the end bookmark
    W11 an end annotation that is not "true"
    W12 resourceVersion during the initial events
    W13 silence, and a slow trickle of events, before the end bookmark
    W14 a client that does not support them
    W15 consistency detector
    W16 gzip in members
    W17 an end bookmark that never arrives
    `,
  ],
  [
    "Queues of handlers",
    `
    Q1 in order, each once
    Q2 missing from a new snapshot while its add is queued
    Q3 missing, with its deletion already queued
    Q4 missing, with nothing queued
    Q5 coalescing two changes of one object
    Q6 input and errors of transforms
    Q7 deletion of an unknown object
    Q8 resync of an object with a queued change
    Q9 an update that races a resync
    Q10 a handler's synced
    Q11 synced, observed during the last call
    Q12 no object overtakes another
    Q13 the end, while a read is pending
    Q14 batches of changes
    Q15 one broken object among good ones
    Q16 a batch of one
    Q17 a snapshot replaces another in one step
    Q18 order of the resulting changes
    Q19 bookmarks call no handler
    Q20 writers do not wait for handlers
    Q21 a transaction that fails in part
    `,
  ],
  [
    "Informers",
    `
    I1 indexes before and after the start
    I2 resync of one handler only
    I3 different periods
    I4 a shorter period later
    I5 a handler added during the start
    I6 changes missed while disconnected
    I7 errors are reported
    I8 started and closed more than once
    I9 transforms apply everywhere
    I10 reads while a transform runs
    I11 removing handlers
    I12 the same handler twice
    I13 a hundred handlers added and removed
    I14 calls that a closed informer rejects
    I15 a handler added late
    I16 the end waits for handlers
    I17 a handler that throws
    I18 removed while changes are queued
    I19 a missed deletion
    I20 deleted and recreated under the same name
    I21 connections reset during the first sync
    I22 resourceVersion through every change, with odd transforms too
    I23 thousands of writes while connections break
    I24 handlers with a filter
    I25 informer names
    I26 waiting for several informers
    I27 listing by namespace and selector
    I28 multi-value indexes
    I29 own writes before their events
    I30 a cache with a time to live
    `,
  ],
  [
    "Watches from a resourceVersion, and waiting",
    `
    T1 a starting resourceVersion is required
    T2 failed starts
    T3 410 as an event
    T4 rejections end it
    T5 events before the starting resourceVersion
    T6 watches that break and repeat events
    T7 a reader that stops
    T8 bookmarks
    T9 conditions in sequence, errors, timeouts
    T10 preconditions
    T11 a watch of the cache
    `,
  ],
  [
    "Known mistakes of other clients",
    `
    N2 dead watches without an error
    N6 only a line feed ends a line
    N7 characters split between chunks
    N8 truncated or unreadable frames
    N9 the three forms of 410
    N10 other error events, and Retry-After
    N11 bookmarks and the end annotation
    N12 when the back-off resets
    N13 asynchronous handlers
    N14 slow handlers and iterators
    N15 handlers that throw
    N16 races of start and end
    N17 failing credentials while reconnecting
    N18 the same object shape from each verb
    `,
  ],
  [
    "Watches on the wire",
    `
    WAT1 no change is missed between a list and its watch
    WAT2 events split anywhere between chunks
    WAT3 event types, including unknown ones
    WAT4 a broken watch resumes from the last resourceVersion
    WAT5 expired history (410)
    WAT6 watching one object
    WAT7 bookmarks contain a resourceVersion only
    WAT8 bookmarks are requested, and may never arrive
    WAT9 streaming list: existing objects as events, then a bookmark
    WAT10 initial events require resourceVersionMatch
    WAT11 invalid combinations of watch parameters
    WAT12 initial events without a resourceVersion show the newest state
    WAT13 initial events not older than a resourceVersion
    WAT14 initial events do not advance the resourceVersion
    WAT15 annotation of the end bookmark
    WAT16 servers without initial events
    WAT17 a future resourceVersion
    WAT18 list-then-watch is public
    WAT19 an event does not reveal the verb of its write
    WAT20 limits and tables on a watch
    WAT21 the same events in each encoding
    `,
  ],
  [
    "Lists on the wire",
    `
    CHK1 a page and its continue token
    CHK2 later pages keep the selectors
    CHK3 both forms of the last page
    CHK4 all pages show one snapshot
    CHK5 an expired continue token
    CHK6 remaining counts of the documented example
    CHK7 the remaining count is an estimate
    CHK8 pages smaller than the limit
    CHK9 continue tokens are opaque
    CHK10 memory of one page at a time
    CHK11 servers that ignore limits
    CHK12 list kinds
    CHK13 items get kind and apiVersion
    CHK14 kubectl's List
    CHK15 encodings that are built whole are avoided for large lists
    CHK16 negative limits
    `,
  ],
  [
    "Resource versions",
    `
    RV1 a string, sent back unchanged
    RV2 order within one resource
    RV3 comparison rule
    RV4 values that cannot be compared
    RV5 resourceVersions that are not decimal
    RV6 servers without an order
    RV7 resourceVersions of lists and of items
    RV8 parameters per verb
    RV9 get: unset, 0, and N
    RV10 get has no match
    RV11 lists without a match
    RV12 limited lists without a match
    RV13 lists with a continue token
    RV14 match Exact
    RV15 match Exact with a limit
    RV16 match NotOlderThan
    RV17 match NotOlderThan with a limit
    RV18 invalid matches
    RV19 servers that ignore the match
    RV20 relists not older than the known resourceVersion
    RV21 any: may be older than before, but caches do not go back
    RV22 most recent
    RV23 not older than
    RV24 exact, or 410
    RV25 lifetime of old states on the server
    RV26 pages whose state is gone
    RV27 paged NotOlderThan, and 410
    RV28 exact lists answered with another resourceVersion
    RV29 start of a watch
    RV30 watches that go back
    RV31 watches without a resourceVersion
    RV32 410 on every verb
    RV33 future resourceVersions
    RV34 resourceVersions that the server rejects as not numeric
    `,
  ],
];
