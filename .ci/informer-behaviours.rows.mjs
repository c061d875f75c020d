// The behaviours that informers and watches must show, in a few words each. `informer-behaviours.mjs` finds the tests
// that carry an ID.

/** Sections: title, and rows of an ID and its behaviour. */
export const parts = [
  [
    "Listing and watching",
    `
    R1 an ERROR event that holds no Status
    R2 ended while watching
    R3 resync periods of handlers
    R4 aborted before it begins
    R5 ended while the watch is being asked for
    R6 ended before or after the first event
    R7 a watch that ends at once with nothing
    R8 a watch that ends after something
    R9 events of another type, and a version lower than the one before
    R10 ended from within a handler
    R11 where the first list and the first watch begin
    R12 rounds that fail between rounds that work
    R13 five refused connections cost one list
    R14 the back-off stops growing at its cap
    R15 a back-off of one's own
    R16 429 at the start and as an event
    R17 429 four times
    R18 InternalError within and beyond its window
    R19 a resync that throws
    R20 pages of a size of one's own
    R21 later lists come whole
    R22 a server without a watch cache keeps being asked in pages
    R23 a later list asks for what is known
    R24 a list at a version that is gone
    R25 a page token that is gone
    R26 a version that the server has not reached, in three dialects
    R27 how an informer of some type is called
    R28 how long a watch asks to live
    R29 the version follows each event
    R30 memory of what a list removed
    R31 an object that the server could not read
    R32 how often a transform runs
    R33 tables where objects are due
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
    W3 refused for any reason
    W4 refused by a server that is too old
    W5 whole with the end bookmark, on one request
    W6 changes among the initial events
    W7 429 at the start
    W8 cut before the end bookmark
    W9 cut after it
    W10 410 after it
    W11 an annotation that is not true
    W12 what moves the version meanwhile
    W13 quiet, and events that keep coming, before the end bookmark
    W14 a client that does not want them
    W15 a detector that compares with a list
    W16 gzip in members
    W17 an end bookmark that never comes
    `,
  ],
  [
    "What waits for a handler",
    `
    Q1 in order, each once
    Q2 gone from a new picture while its add waits
    Q3 gone, and its deletion waits already
    Q4 gone, and nothing waits
    Q5 coalescing two changes of one object
    Q6 what transforms see, and what they throw
    Q7 a deletion of what was never there
    Q8 a resync of what has a change waiting
    Q9 an update that races a resync
    Q10 when a handler is synced
    Q11 synced, seen from within the last call
    Q12 no object overtakes another
    Q13 the end, while somebody waits
    Q14 changes in batches
    Q15 one broken object among good ones
    Q16 a batch of one
    Q17 a picture replaces another in one step
    Q18 the order of what that tells
    Q19 bookmarks call nobody
    Q20 who writes does not wait for handlers
    Q21 a transaction that fails in part
    `,
  ],
  [
    "Informers",
    `
    I1 indexes before and after the start
    I2 resync of one handler and not of the other
    I3 different periods
    I4 a shorter period later
    I5 a handler that comes during the start
    I6 changes missed while the connection was lost
    I7 errors are told
    I8 started and closed more than once
    I9 transforms change what is seen
    I10 who reads while a transform runs
    I11 removing handlers
    I12 the same handler twice
    I13 a hundred that come and go
    I14 what a closed informer refuses
    I15 a handler that comes late
    I16 the end waits for handlers
    I17 a handler that throws
    I18 removed while changes wait
    I19 a deletion that was missed
    I20 deleted and made anew under its name
    I21 connections reset during the first sync
    I22 the version through everything, odd transforms included
    I23 thousands of writes while connections break
    I24 handlers with a filter
    I25 names of informers
    I26 waiting for several
    I27 listing by namespace and selector
    I28 indexes of many values
    I29 own writes before their events
    I30 a cache whose entries expire
    `,
  ],
  [
    "Watches from a version, and waiting",
    `
    T1 a version to begin at is needed
    T2 starts that fail
    T3 410 as an event
    T4 refusals end it
    T5 events before the version
    T6 watches that break and repeat themselves
    T7 a reader that stops
    T8 bookmarks
    T9 conditions in turn, errors, timeouts
    T10 preconditions
    T11 a watch over the cache
    `,
  ],
  [
    "What clients got wrong before",
    `
    N2 watches that are dead and do not say so
    N6 what ends a line
    N7 characters cut between chunks
    N8 frames that are cut or cannot be read
    N9 410 in each of its forms
    N10 other errors as events, and Retry-After
    N11 bookmarks and the end annotation
    N12 a back-off that forgets late
    N13 handlers that return promises
    N14 handlers and readers that do not keep up
    N15 handlers that throw
    N16 starts and ends that race
    N17 credentials that fail while reconnecting
    N18 one shape from each verb
    `,
  ],
  [
    "Watches on the wire",
    `
    WAT1 nothing is missed between a list and its watch
    WAT2 events cut anywhere
    WAT3 types of events, also unknown ones
    WAT4 taken up again at the last version
    WAT5 a history that was forgotten
    WAT6 one object
    WAT7 bookmarks hold a version and no more
    WAT8 bookmarks that do not come
    WAT9 the order of a streaming list
    WAT10 the match that it needs
    WAT11 matches that are refused
    WAT12 without a version: all that was written before
    WAT13 with a version: at least that
    WAT14 the example of the documentation
    WAT15 the annotation that ends it
    WAT16 servers without it
    WAT17 versions of the future
    WAT18 list and watch are public
    WAT19 what a verb looks like as an event
    WAT20 limits and other forms on a watch
    WAT21 the same events in each encoding
    `,
  ],
  [
    "Lists on the wire",
    `
    CHK1 a limit
    CHK2 the next page asks the same
    CHK3 two forms of the end
    CHK4 pages show one state
    CHK5 a token that expires
    CHK6 the counts of the documentation's example
    CHK7 how many are left
    CHK8 pages smaller than asked
    CHK9 tokens are the server's
    CHK10 memory of a walk
    CHK11 servers that ignore limits
    CHK12 kinds of lists
    CHK13 items without a kind
    CHK14 the List that is no kind
    CHK15 what is never asked for whole
    CHK16 a negative limit
    `,
  ],
  [
    "Versions",
    `
    RV1 given back as they came
    RV2 ordered within one resource
    RV3 how they are ordered
    RV4 which have no order
    RV5 servers without an order
    RV6 an order is never needed
    RV7 of a list, and of its items
    RV8 which verb takes which
    RV9 reads at none, 0 and a version
    RV10 a get has no match
    RV11 a list without a match
    RV12 with a limit
    RV13 with a token
    RV14 Exact
    RV15 Exact with a limit
    RV16 NotOlderThan
    RV17 NotOlderThan with a limit
    RV18 matches that make no sense
    RV19 old servers that ignore a match
    RV20 asking for what is known is cheap
    RV21 any version: never back
    RV22 the newest
    RV23 not older: looked at
    RV24 Exact: that one or 410
    RV25 how long a server keeps old states
    RV26 a token whose state is gone
    RV27 not older, in pages, and gone
    RV28 Exact, answered by another
    RV29 where a watch begins
    RV30 watches that rewind
    RV31 a watch without a version
    RV32 410 on each verb
    RV33 versions of the future
    RV34 versions that are no numbers
    `,
  ],
];
