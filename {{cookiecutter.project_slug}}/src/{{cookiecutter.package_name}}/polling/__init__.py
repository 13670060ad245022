"""The kit around one row: accept now, settle later, lose nothing, do nothing twice.

Promises: what was accepted is in the database before the client hears of it. A row is worked on by one process at a
time, under a lease that the database grants and the database's clock ends; a row whose process died is taken over
when its lease ends. A write by someone who lost the lease hits nothing. An end and its event are one statement, and the
event reaches every handler at least once, in order per aggregate. An outage of the external system fails no task.

Does not promise: one delivery. After a crash, a stall or a lost answer a submission may go out again, always with the
row's `idempotency_key`: the fencing token protects our database, the key protects the other side. One crash repeats at
most as many as a system's concurrency (a quarter more where calls take less than 0.1 s). Nor order between
aggregates, nor a start at an instant: a row starts when it is due and its system has room.

    accept ──> PENDING ──────────── submitted ───────────> IN_PROGRESS ──┐ still pending: later, again
                 │  │ refused, burned: later, again           │    │  <───┘ refused, burned: later, again
                 │  └── cancelled ──> CANCELLED <── cancelled ┘    │
                 │                                                 ├── completed ──> COMPLETED + <task>.completed
                 └── rejected, last attempt burned, poison ──┐     │
                                                             ├─────┴── the same, or the deadline passed
                                          FAILED <───────────┘  + <task>.rejected or <task>.failed
                                            └── an operator's retry ──> PENDING or IN_PROGRESS

A lease is no status. `claimed_by` says that a row is held; `next_attempt_at` is when it is due, and while it is held
the lease's end, so an expired lease *is* a due row. `claim_no` grows with every claim and is part of every later write:

    due ── claim: claimed_by, claim_no + 1, no_outcome + 1, next_attempt_at = now + lease ──> held
    held ── renewal, every third of the lease: next_attempt_at = now + lease ──> held
    held ── settle, matching task_id, claim_no and claimed_by IS NOT NULL ──> not held, due later or ended
    held ── nothing, for a lease: a crash ──> due

What burns an attempt (R-RES-RE-5):

    outcome                                      retry_count  due again                              ends
    completed                                    -            -                                      COMPLETED
    rejected by the system (400, 404, 409, 422)  -            -                                      FAILED
    still pending there                          +0           base * 2^polls, at most BACKOFF_MAX    at deadline_at
    timeout, 5xx, connection, 401, 403, 408      +1           2^n s, at most BACKOFF_MAX, +-20 %     at MAX_ATTEMPTS
    breaker open, bulkhead full, Retry-After     +0           when it reopens; the system's rest     -
    a failed half-open trial                     +0           when it reopens                        -
    shutdown                                     +0           now                                    -
    crash, stall (lease expired)                 +0           now; alone after POISON_AFTER in a row when it kills again

Who owns the clock: the database, for leases, due times and ages. The monotonic clock here may only stop work early:
a row whose lease may have run out while it waited in memory is not started. Wall time decides nothing.

How a row travels: `acceptance` or `further_task` stores it; `poller` (one per external system, behind the system's
`Gate`) claims through `store`; `calls` run the handler; `judgement` asks the `Judge` what an error means, and
`settlement` turns that into what `ledger` writes in batches; `relay` hands on events; `retention`, `stats` and
`operators` look after the rest.
"""
