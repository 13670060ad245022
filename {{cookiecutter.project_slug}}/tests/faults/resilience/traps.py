"""The traps around one call: each with the test that watches it, and the mutation of the kit that it notices."""

from dataclasses import dataclass

UNIT = "tests/unit/resilience"
FAULTS = "tests/faults/resilience"


@dataclass(frozen=True)
class Change:
    """Replace the one occurrence of `old` in a file of the kit."""

    file: str
    old: str
    new: str


@dataclass(frozen=True)
class Trap:
    """What goes wrong, where it is watched, and how to let it go wrong."""

    what: str
    test: str
    mutation: str
    changes: tuple[Change, ...]


def one(file: str, old: str, new: str) -> tuple[Change, ...]:
    """Return a mutation of one place."""
    return (Change(f"{file}.py", old, new),)


HTTP = (
    Trap(
        "httpx's own transport loses slots of its pool when calls are cancelled",
        f"{FAULTS}/test_storm.py::test_a_storm_of_cancellations_loses_no_slot_and_no_permit",
        "the kit uses httpx's transport",
        one("guard", "wire = transport or build_transport(settings)", "wire = transport or httpx.AsyncHTTPTransport()"),
    ),
    Trap(
        "a refused connection looks like a timeout: nothing was sent, whatever the class says",
        f"{FAULTS}/test_faults.py::test_a_refused_connection_is_unreachable_and_nothing_was_sent",
        "ClientConnectorError is not looked for",
        one("translation", "NOT_CONNECTED = (aiohttp.ClientConnectorError, ", "NOT_CONNECTED = ("),
    ),
    Trap(
        "a connection that is not accepted in time is not a system that did not answer",
        f"{FAULTS}/test_faults.py::test_a_connection_that_is_not_accepted_is_unreachable",
        "ConnectionTimeoutError is not looked for",
        one(
            "translation",
            "aiohttp.ClientHttpProxyError, aiohttp.ConnectionTimeoutError)",
            "aiohttp.ClientHttpProxyError)",
        ),
    ),
    Trap(
        "a server that disconnects after it read the request looks like a connection that was never made",
        f"{FAULTS}/test_faults.py::test_res_re_x1_a_write_that_was_read_and_dropped_is_not_sent_again",
        "errors are told apart by httpx's class",
        one("translation", "if isinstance(cause, aiohttp.ClientError):", "if cause is None:"),
    ),
    Trap(
        "a pool without a free connection is a leak of ours, and looks like a system that does not accept",
        f"{FAULTS}/test_faults.py::test_a_pool_that_leaks_raises_the_alarm_and_is_not_held_against_the_system",
        "nobody asks whether the request was queued",
        one("client", "    _queued.set(True)", "    _queued.set(False)"),
    ),
    Trap(
        "a connection that breaks within the body is an unknown outcome, not an answer against the contract",
        f"{FAULTS}/test_faults.py::test_a_fault_has_its_error_its_metric_and_its_log_line[new_connection-half_body]",
        "ClientPayloadError is not looked for",
        one(
            "translation",
            "(aiohttp.ClientConnectionError, aiohttp.ClientPayloadError)",
            "(aiohttp.ClientConnectionError,)",
        ),
    ),
    Trap(
        "headers without end come out as aiohttp's own error, past httpx's classes",
        f"{FAULTS}/test_faults.py::test_a_fault_has_its_error_its_metric_and_its_log_line[new_connection-endless_headers]",
        "only httpx's errors are caught",
        one("call", "except (httpx.HTTPError, aiohttp.ClientError) as error:", "except httpx.HTTPError as error:"),
    ),
    Trap(
        "a write on a connection that the system closed while idle has an unknown outcome",
        f"{FAULTS}/test_faults.py::test_idle_connections_end_before_the_system_ends_them",
        "idle connections are kept as long as aiohttp likes",
        one("client", "keepalive_timeout=settings.keepalive,", "keepalive_timeout=30.0,"),
    ),
    Trap(
        "a server that drips bytes is within its read timeout for ever",
        f"{UNIT}/test_deadline.py::test_res_to_x1_a_hang_ends_at_the_total",
        "an attempt has no deadline of its own",
        one("attempt", "asyncio.timeout_at(deadline) as limit", "asyncio.timeout_at(None) as limit"),
    ),
    Trap(
        "some hundred bytes of gzip become hundreds of megabytes, asked for or not",
        f"{FAULTS}/test_faults.py::test_a_gzip_bomb_is_never_unpacked[twice]",
        "the answer is read decoded",
        (
            Change("response.py", "    _ensure_plain(system, response)\n", ""),
            Change("response.py", "response.aiter_raw()", "response.aiter_bytes()"),
        ),
    ),
    Trap(
        "a compressed answer is taken although identity was asked for",
        f"{UNIT}/test_response.py::test_every_answer_has_its_error",
        "the encoding is not looked at",
        one("response", "    _ensure_plain(system, response)\n", ""),
    ),
    Trap(
        "an answer without end fills the memory",
        f"{UNIT}/test_response.py::test_every_answer_has_its_error",
        "no cap",
        one("response", "if len(content) > limit:", "if limit < 0:"),
    ),
    Trap(
        "a redirect is an answer for whoever follows it, and a contract error here",
        f"{UNIT}/test_response.py::test_every_answer_has_its_error",
        "3xx is taken for an answer",
        one("response", "if 200 <= status < 300:", "if 200 <= status < 400:"),
    ),
    Trap(
        "a name that is not resolved hangs beside every connect timeout",
        f"{FAULTS}/test_faults.py::test_a_name_that_cannot_be_resolved_is_unreachable[hangs]",
        "no limit around queue, resolver and connect together",
        one("client", "pool=settings.pool_timeout,", "pool=None,"),
    ),
    Trap(
        "a proxy of the environment gets between service and system",
        f"{FAULTS}/test_network.py::test_proxies_of_the_environment_are_not_used",
        "the environment is trusted",
        (
            Change(
                "client.py",
                "settings.proxy.get_secret_value(),\n        trust_env=False,",
                "settings.proxy.get_secret_value(),\n        trust_env=True,",
            ),
        ),
    ),
    Trap(
        "a proxy with credentials makes httpx-aiohttp build a deprecated object for every call",
        f"{FAULTS}/test_network.py::test_calls_go_through_the_systems_own_proxy",
        "the proxy is given to the transport",
        one(
            "client",
            "AiohttpTransport(client=session, trust_env=False,",
            'AiohttpTransport(client=session, proxy=httpx.Proxy("http://me:x@127.0.0.1:1"), trust_env=False,',
        ),
    ),
    Trap(
        "a client keeps cookies, and with them a session nobody asked for",
        f"{UNIT}/test_credentials.py::test_a_cookie_of_the_token_endpoint_goes_nowhere",
        "cookies are kept",
        one("client", "        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),\n", ""),
    ),
    Trap(
        "validation errors quote the answer, and travel along as the cause",
        f"{UNIT}/test_response.py::test_nothing_of_an_answer_gets_into_error_or_log",
        "the library's error stays behind ours",
        one("attempt", 'schema: {faults}")) from None', 'schema: {faults}"))'),
    ),
)

COMPOSITION = (
    Trap(
        "a deadline outside the breaker shows it a cancellation, which it does not count: it never opens",
        f"{UNIT}/test_breaker.py::test_res_async_3_hanging_calls_open_the_breaker",
        "the deadline stands around the breaker",
        (
            Change("attempt.py", "asyncio.timeout_at(deadline) as limit", "asyncio.timeout_at(None) as limit"),
            Change(
                "guard.py",
                "            return await breaker.call(",
                "            async with asyncio.timeout_at(deadline):\n              return await breaker.call(",
            ),
        ),
    ),
    Trap(
        "a caller's cancellation is no failure of the system",
        f"{UNIT}/test_breaker.py::test_a_callers_cancellation_is_counted_by_nobody",
        "cancellations count",
        (
            Change("breaker.py", "import logging\n", "import asyncio\nimport logging\n"),
            Change(
                "breaker.py",
                "        except PortError as error:",
                "        except (PortError, asyncio.CancelledError) as error:",
            ),
            Change("breaker.py", "isinstance(error, FAILURES):", "isinstance(error, (*FAILURES, BaseException)):"),
        ),
    ),
    Trap(
        "a timeout that is entered after its deadline swallows a pending cancellation",
        f"{UNIT}/test_deadline.py::test_a_pending_cancellation_is_not_swallowed_by_a_deadline_that_has_passed",
        "a deadline that has passed is entered",
        (
            Change("guard.py", "if deadline <= now:", "if deadline is None:"),
            Change("attempt.py", "if deadline <= self._clock():", "if deadline is None:"),
        ),
    ),
    Trap(
        "wait_for around a semaphore swallows a cancellation (Python 3.11 only)",
        f"{UNIT}/test_bulkhead.py::test_a_cancellation_that_meets_its_permit_is_not_swallowed",
        "wait_for instead of a timeout",
        (
            Change(
                "bulkhead.py",
                "            async with asyncio.timeout_at(until):\n                await self._semaphore.acquire()",
                "            await asyncio.wait_for(self._semaphore.acquire(), until - started)",
            ),
        ),
    ),
    Trap(
        "a retry inside the breaker hits a dead system with calls that the breaker does not see",
        f"{UNIT}/test_retry.py::test_the_breaker_sees_every_attempt_and_ends_the_retrying",
        "breaker around retry",
        (
            Change(
                "guard.py",
                "lambda: self._attempt(operation, body, deadline, idempotency_key), deadline",
                "lambda: parts.wire.attempt(operation, body, deadline, None, parts.breaker.state), deadline",
            ),
        ),
    ),
    Trap(
        "a retry inside the bulkhead holds a permit while it sleeps",
        f"{UNIT}/test_retry.py::test_a_waiting_retry_holds_no_permit",
        "a permit around the retry",
        one(
            "guard",
            "result = await parts.retrier.call(",
            "await parts.bulkhead.acquire(deadline)\n                result = await parts.retrier.call(",
        ),
    ),
    Trap(
        "behind a full bulkhead an open breaker answers late",
        f"{UNIT}/test_bulkhead.py::test_an_open_breaker_answers_at_once_when_the_bulkhead_is_full",
        "no open check before the bulkhead",
        one("guard", "        breaker.check()\n", ""),
    ),
    Trap(
        "a semaphore that once waited belongs to its loop",
        f"{UNIT}/test_bulkhead.py::test_a_bulkhead_belongs_to_the_loop_that_built_it",
        "the semaphore is built at import",
        (
            Change("bulkhead.py", "class Bulkhead:", "_SHARED = asyncio.Semaphore(1)\n\n\nclass Bulkhead:"),
            Change("bulkhead.py", "asyncio.Semaphore(settings.max_concurrent)", "_SHARED"),
        ),
    ),
    Trap(
        "the caller's budget is spent by us to the last moment, and our own answer comes too late",
        f"{UNIT}/test_deadline.py::test_res_to_3_a_callers_budget_caps_the_call_less_a_tenth_of_a_second",
        "nothing is kept back",
        one("guard", "ends_at() - self.settings.budget_reserve", "ends_at()"),
    ),
    Trap(
        "a call that outlives its attempt sends past every protection",
        f"{UNIT}/test_protected.py::test_a_call_ends_with_its_attempt",
        "a Call is never over",
        one("attempt", "                call.end()\n", ""),
    ),
)

BREAKER = (
    Trap(
        "aiobreaker's `open` reads the wall clock: since 3.12 it warns, and under -W error it never opens",
        f"{UNIT}/test_breaker.py::test_res_cb_2_ten_calls_are_needed_for_a_judgement",
        "aiobreaker's own `open`",
        one("breaker_machine", "    def open(self) -> None:", "    def open_without_a_clock(self) -> None:"),
    ),
    Trap(
        "aiobreaker mixes UTC and local time: hours too long or no pause at all",
        f"{UNIT}/test_breaker.py::test_right_in_every_time_zone[Europe/Moscow]",
        "aiobreaker's own `opens_at`",
        one("breaker_machine", "    def opens_at(self) -> None:", "    def opens_at_no_time(self) -> None:"),
    ),
    Trap(
        "the call that opens the breaker gets the breaker's error instead of its own",
        f"{UNIT}/test_breaker.py::test_the_call_that_opens_gets_its_own_error",
        "the machine's error is passed on",
        one(
            "breaker",
            "            if not run.made:\n                raise",
            "            if run is not None:\n                raise",
        ),
    ),
    Trap(
        "half-open admits everybody: a system that just came back is run over",
        f"{UNIT}/test_breaker.py::test_res_cb_4_never_more_than_three_trials_at_once",
        "trials are not limited",
        (
            Change("breaker.py", " or self._trials_left <= 0:", ":"),
            Change("breaker.py", "if trial and self._trials_left <= 0:", "if trial and self._trials_left < -99:"),
        ),
    ),
    Trap(
        "one good trial is no proof",
        f"{UNIT}/test_breaker.py::test_res_cb_4_three_trials_must_all_succeed",
        "the first success closes",
        one("breaker", "if self._trials_passed < self._settings.breaker_trials:", "if self._trials_passed < 1:"),
    ),
    Trap(
        "failures of calls begun in an earlier period open the breaker again",
        f"{UNIT}/test_breaker.py::test_late_failures_do_not_count_in_the_next_closed_period",
        "late failures count",
        one("breaker", "if period != self._period or not isinstance", "if not isinstance"),
    ),
    Trap(
        "a late success of an earlier round of trials closes the breaker",
        f"{UNIT}/test_breaker.py::test_a_late_trial_is_no_trial_of_the_next_round",
        "late successes count",
        one("breaker", "        if period != self._period:\n            raise _Unseen\n", ""),
    ),
    Trap(
        "a watcher that raises keeps the breaker from opening",
        f"{UNIT}/test_breaker.py::test_watchers_hear_of_changes_and_a_broken_one_stops_nothing",
        "a watcher's error is passed on",
        one(
            "breaker",
            'logger.exception("circuit.watcher_failed"',
            'raise\n                logger.exception("circuit.watcher_failed"',
        ),
    ),
    Trap(
        "only consecutive failures count: a system that fails four times of five never trips",
        f"{UNIT}/test_breaker.py::test_res_cb_3_failures_need_not_be_consecutive",
        "a success clears the window",
        one("breaker_machine", "self._record(failed=False)", "self.window.clear()"),
    ),
    Trap(
        "the window is judged after failures only: a success that completes it is not looked at",
        f"{UNIT}/test_breaker.py::test_res_cb_2_a_success_that_completes_a_sick_window_opens_too",
        "no look after a success",
        one("breaker", "if self._storage.counter:", "if self._storage.counter > 1:"),
    ),
    Trap(
        "an excluded error counts as a success: it thins failures out and closes a half-open breaker",
        f"{UNIT}/test_breaker.py::test_a_4xx_says_nothing_about_the_systems_health",
        "a 4xx is recorded as a success",
        one(
            "breaker",
            "            return _Unseen()\n",
            "            self._window.add(failed=False, slow=False)\n            return _Unseen()\n",
        ),
    ),
    Trap(
        "slow calls are good calls until all of them time out",
        f"{UNIT}/test_breaker.py::test_res_cb_5_slow_calls_open_before_calls_time_out",
        "nothing is slow",
        one(
            "breaker", "return self._clock() - started >= self._settings.slow_after_s", "return self._clock() < started"
        ),
    ),
    Trap(
        "a cancelled trial keeps its place: three of them, and the breaker never closes",
        f"{UNIT}/test_breaker.py::test_a_cancelled_trial_gives_its_place_back",
        "the place is not given back",
        one("breaker", "                self._trials_running -= 1\n", ""),
    ),
    Trap(
        "a system that is down for hours is tried every thirty seconds for hours",
        f"{UNIT}/test_breaker.py::test_res_cb_4_a_failed_trial_opens_for_twice_as_long_up_to_the_bound",
        "the open period does not grow",
        one(
            "breaker", "self._failed_rounds += before is State.HALF_OPEN", "self._failed_rounds += before is State.OPEN"
        ),
    ),
    Trap(
        "an error and the frames that keep it hold each other, and with them the payload",
        f"{UNIT}/test_breaker.py::test_failures_keep_nothing_alive",
        "the machine's frames keep the error",
        one("breaker", "error, run.error = run.error, None", "error = run.error"),
    ),
    Trap(
        "one error object for all refusals: a thousand of them hold a thousand payloads",
        f"{UNIT}/test_breaker.py::test_refusals_keep_nothing_alive",
        "the refusal is kept and raised again",
        (
            Change(
                "breaker.py",
                "        return CircuitOpenError(",
                '        self._kept = getattr(self, "_kept", None) or CircuitOpenError(',
            ),
            Change(
                "breaker.py",
                "retry_after_s=wait_s or self._settings.busy_retry_after)",
                "retry_after_s=wait_s or self._settings.busy_retry_after)\n        return self._kept",
            ),
        ),
    ),
)

RETRY = (
    Trap(
        "a stop after so many seconds knows nothing of the deadline",
        f"{UNIT}/test_retry.py::test_no_retry_begins_after_the_deadline",
        "the deadline is not looked at",
        one("retry", "begins_at < self._deadline\n", "begins_at < self._deadline + 60\n"),
    ),
    Trap(
        "retries that begin late: in-memory retry covers five seconds",
        f"{UNIT}/test_retry.py::test_res_re_4_no_retry_begins_later_than_five_seconds_after_the_first_attempt",
        "no window",
        one("retry", "            and begins_at - self._started <= self._settings.retry_window\n", ""),
    ),
    Trap(
        "a predicate that names what is not repeated repeats cancellations",
        f"{UNIT}/test_retry.py::test_a_cancelled_second_attempt_is_not_repeated",
        "everything is repeated but a refusal",
        one(
            "retry",
            "        if not isinstance(error, TRANSIENT):\n            return False",
            "        if error is None or isinstance(error, ExecutionRejectedError):\n            return False",
        ),
    ),
    Trap(
        "one AsyncRetrying for all callers mixes them up: here, by the first caller's deadline",
        f"{UNIT}/test_retry.py::test_a_later_caller_has_a_plan_of_its_own",
        "it is shared",
        (
            Change(
                "retry.py",
                "        retrying = AsyncRetrying(",
                '        retrying = self.shared = getattr(self, "shared", None) or AsyncRetrying(',
            ),
        ),
    ),
    Trap(
        "a call whose second attempt is refused says that nothing was sent, and the first was",
        f"{UNIT}/test_retry.py::test_a_refused_retry_does_not_hide_what_was_sent",
        "the refusal is passed on",
        one("retry", "            raise plan.last from refusal", "            raise refusal"),
    ),
    Trap(
        "tenacity does not await what a lambda returns",
        f"{UNIT}/test_retry.py::test_res_re_1_a_read_recovers_within_three_attempts",
        "a lambda",
        one("retry", "return await retrying(once)", "return await retrying(lambda: once())"),
    ),
    Trap(
        "tenacity raises an error of its own at the end",
        f"{UNIT}/test_retry.py::test_res_re_3_the_last_error_comes_out_after_three_attempts",
        "reraise is off",
        one("retry", "reraise=True", "reraise=False"),
    ),
    Trap(
        "callers that failed together come back together",
        f"{UNIT}/test_retry.py::test_res_re_x3_waits_grow_and_are_jittered",
        "no jitter",
        one("retry", "self._random.uniform(0.0, span)", "span"),
    ),
    Trap(
        "retries triple the load of a system that is down",
        f"{UNIT}/test_retry.py::test_the_budget_keeps_a_hundred_failing_calls_below_115_real_ones",
        "the budget is never empty",
        one("retry", "        self._tokens -= 1\n", ""),
    ),
    Trap(
        "a system that says when to come back is asked sooner",
        f"{UNIT}/test_retry.py::test_retry_after_is_respected_when_it_fits",
        "Retry-After is not looked at",
        one("retry", "max(self._random.uniform(0.0, span), asked_s)", "self._random.uniform(0.0, span)"),
    ),
    Trap(
        "a long Retry-After is waited for in a request",
        f"{UNIT}/test_retry.py::test_res_async_2_a_longer_retry_after_is_left_to_the_caller",
        "waits are not bounded",
        one("retry", "            and self._waited_s + wait_s <= self._settings.retry_wait_max\n", ""),
    ),
    Trap(
        "a write is repeated without a key",
        f"{UNIT}/test_retry.py::test_res_re_x1_a_write_without_a_key_is_sent_once",
        "every write is repeatable",
        one("operation", "return self.kind is Kind.READ or self.kind is Kind.KEYED_WRITE", "return True"),
    ),
    Trap(
        "a task's call is repeated in memory beside its row",
        f"{UNIT}/test_retry.py::test_res_where_3_a_tasks_guard_makes_one_attempt",
        "the tasks' guard retries, too",
        one("guard", "self._parts, retries=False)", "self._parts, retries=True)"),
    ),
)

AROUND = (
    Trap(
        "settings without a prefix of their own read, and share, unprefixed variables",
        f"{UNIT}/test_settings.py::test_res_cfg_3_a_subclass_needs_a_prefix_of_its_own",
        "a subclass may do without a prefix",
        one("settings", "            raise TypeError(", "            str("),
    ),
    Trap(
        "every caller fetches a token of its own",
        f"{UNIT}/test_credentials.py::test_many_callers_share_one_token",
        "no fetch is shared",
        one("credentials", "if (fetching := self._fetching) is None:", "if (fetching := None) is None:"),
    ),
    Trap(
        "the first caller's end takes the token from all others",
        f"{UNIT}/test_credentials.py::test_a_caller_that_gives_up_does_not_take_the_token_from_the_others",
        "the fetch is awaited itself",
        one(
            "credentials",
            "            await asyncio.wait((fetching,))\n            if",
            "            await fetching\n            if",
        ),
    ),
    Trap(
        "a system that refuses every token turns into a storm of refreshes",
        f"{UNIT}/test_credentials.py::test_a_refused_token_is_forgotten_but_not_a_young_one",
        "a young token is forgotten, too",
        one("credentials", "self._clock() - self._fetched_at >= self._settings.oauth_min_age", "self._fetched_at >= 0"),
    ),
    Trap(
        "one cancelled caller ends the probe that others wait for",
        f"{UNIT}/test_health.py::test_a_cancelled_caller_does_not_end_the_probe_of_the_others",
        "the probe is not shielded",
        one("health", "await asyncio.shield(self._probing)", "await self._probing"),
    ),
    Trap(
        "every question about health is a probe",
        f"{UNIT}/test_health.py::test_res_hc_2_a_fresh_result_is_not_probed_again",
        "nothing is fresh",
        one("health", "< self._fresh_until:", "< 0:"),
    ),
    Trap(
        "a probe that goes through breaker and bulkhead sees them and not the system",
        f"{UNIT}/test_health.py::test_res_hc_3_probes_pass_an_open_breaker_and_a_full_bulkhead_and_move_neither",
        "probes are calls like any other",
        one(
            "guard",
            "return await self._parts.wire.attempt(operation, body, deadline, None, self._parts.breaker.state)",
            "return await self._attempt(operation, body, deadline, None)",
        ),
    ),
)

TRAPS = (*HTTP, *COMPOSITION, *BREAKER, *RETRY, *AROUND)
