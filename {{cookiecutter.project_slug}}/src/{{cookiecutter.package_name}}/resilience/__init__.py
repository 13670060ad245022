"""The kit around one call to an external system: every call out is bounded, counted, and refused when it is hopeless.

What it promises
    A call ends within TOTAL_TIMEOUT, and within the caller's own budget. No more than MAX_CONCURRENT are in flight, on
    connections that no other system uses. A system that fails or is slow is left alone for a while and tried with care.
    What failed for a passing reason is repeated only if a repetition does no harm. Whatever goes wrong comes out as one
    `PortError` that says whether anything was sent; nothing of an answer gets into a log beyond a cut of a refusal.

What it does not
    It does not remember: state lives in the process, each pod learns for itself. It does not queue: what may wait for
    minutes is a task (the other kit). It does not hedge, fall back or cache: those are decisions of the business.

How a call goes
    @read / @keyed_write / @write         protected.py    what the method is, visible on it
      total budget                        guard.py        one absolute deadline for everything below
        retry                             retry.py        reads and keyed writes, never for tasks
          open check                      breaker.py      refuse at once, however full the bulkhead is
            bulkhead                      bulkhead.py     a permit, or 100 ms of waiting, or a refusal
              circuit breaker             breaker.py      sees every attempt that is let through
                attempt deadline          attempt.py      a hang becomes a timeout that the breaker counts
                  HTTP                    call.py         client, credentials, answer, translation of errors

The breaker
                 too many of the last calls failed, or were slow
        +--------+ ------------------------------------------------> +--------+
        | closed |                                                   |  open  | <-----------+
        +--------+ <----------+                                      +--------+             |
                              |   all trials succeed,                    | its time is up   | a trial fails or is slow:
                              |   none of them slow                      v and a call comes | open again, twice as long
                              |                                    +-----------+            |
                              +------------------------------------| half-open |------------+
                                                                   +-----------+
    An operator forces it open or takes it out of the way with BREAKER_MODE; that needs a restart.

Outcomes
    success; slow (over READ_TIMEOUT / 2); failure (5xx, timeout, connection, unreadable answer); ignored (4xx, the
    caller's cancellation, a defect of ours); refused (open, bulkhead full, no time). Only the first three move it.

Who owns the clock
    The event loop's monotonic clock decides everything; the wall clock decides nothing and only dates what is shown.
    All parts are built in the running loop by `open_guard`, and closed there.

At three in the morning
    `outbound_breaker_state` and the WARN `circuit.opened` say that a system is left alone, and since when;
    `outbound.attempt_failed` says what its calls met; `pool.exhausted` says that connections leak here, not there.
    Import from the module that has it; this package exports nothing and holds no state.
"""
