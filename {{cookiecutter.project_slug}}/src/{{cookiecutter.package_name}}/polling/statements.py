"""The statements on task rows. Every write after the claim is fenced: it matches the row's id, the claim's number and
`claimed_by IS NOT NULL`, so a write after a hand-back or a takeover hits nothing.

The database's clock is the only one: `now()` and seconds, never an instant of ours. Batches are sorted by id, so that
two of them cannot wait for each other.
"""

CLAIM = """
WITH due AS MATERIALIZED (
  SELECT task_id, next_attempt_at, claimed_by FROM $task_table
  WHERE $open AND next_attempt_at <= now() AND NOT EXISTS (SELECT FROM polling_pause WHERE task = CAST(:task AS text))
  ORDER BY next_attempt_at LIMIT CAST(:n AS int) FOR UPDATE SKIP LOCKED)
UPDATE $task_table AS t SET claimed_by = CAST(:worker AS text), claim_no = t.claim_no + 1,
  no_outcome = t.no_outcome + 1, updated_at = now(),
  next_attempt_at = now() + CAST(:lease AS float8) * interval '1 second'
FROM due WHERE t.task_id = due.task_id
RETURNING t.task_id, t.$owner AS aggregate_id, t.idempotency_key, CAST(t.payload AS text) AS payload, t.external_id,
  t.retry_count, t.poll_count, t.claim_no, t.no_outcome, t.traceparent,
  CAST(extract(epoch FROM now() - due.next_attempt_at) AS float8) AS late_s, due.claimed_by IS NOT NULL AS taken_over
"""
"""One statement, one commit. An expired lease is a due row, so a crash needs no rescuer."""

NEXT_DUE = """
SELECT CAST(extract(epoch FROM min(next_attempt_at) - now()) AS float8) AS wait_s FROM $task_table
WHERE $open AND NOT EXISTS (SELECT FROM polling_pause WHERE task = CAST(:task AS text))
"""

COMPLETE = """
WITH d AS (
  SELECT * FROM unnest(CAST(:task_ids AS bigint[]), CAST(:claim_nos AS int[])) AS d(task_id, claim_no)),
u AS (
  UPDATE $task_table AS t SET status = 'COMPLETED', claimed_by = NULL, no_outcome = 0, last_error = NULL,
    updated_at = now(), finished_at = now()
  FROM d WHERE t.task_id = d.task_id AND t.claim_no = d.claim_no AND t.claimed_by IS NOT NULL
  RETURNING t.task_id, t.$owner AS aggregate_id),
o AS (
  INSERT INTO polling_outbox (topic, task, task_id, aggregate, aggregate_id)
  SELECT CAST(:topic AS text), CAST(:task AS text), task_id, CAST(:aggregate AS text), aggregate_id FROM u)
SELECT task_id FROM u
"""
"""The common outcome, with the least to send; the event is part of the statement."""

SETTLE = """
WITH d AS (
  SELECT * FROM unnest(CAST(:task_ids AS bigint[]), CAST(:claim_nos AS int[]), CAST(:kinds AS text[]),
    CAST(:delays AS float8[]), CAST(:errors AS text[]), CAST(:external_ids AS text[]))
  AS d(task_id, claim_no, kind, delay_s, error, external_id)),
s AS (
  SELECT t.task_id, d.kind, d.error, d.external_id, d.claim_no,
    now() + d.delay_s * interval '1 second' AS due,
    d.kind = 'failed' OR (d.kind = 'burned' AND t.retry_count + 1 >= CAST(:max_attempts AS int)) AS failed,
    d.kind = 'pending' AND t.deadline_at <= now() AS too_late
  FROM d JOIN $task_table AS t ON t.task_id = d.task_id AND t.claim_no = d.claim_no AND t.claimed_by IS NOT NULL),
u AS (
  UPDATE $task_table AS t SET claimed_by = NULL, updated_at = now(),
    status = CASE WHEN s.failed OR s.too_late OR s.kind = 'rejected' THEN 'FAILED'
                  WHEN s.kind = 'submitted' THEN 'IN_PROGRESS' ELSE t.status END,
    finished_at = CASE WHEN s.failed OR s.too_late OR s.kind = 'rejected' THEN now() END,
    retry_count = t.retry_count + CASE WHEN s.kind IN ('burned', 'failed') THEN 1 ELSE 0 END,
    poll_count = CASE s.kind WHEN 'submitted' THEN 0 WHEN 'pending' THEN t.poll_count + 1 ELSE t.poll_count END,
    no_outcome = CASE WHEN s.kind = 'released' THEN greatest(t.no_outcome - 1, 0) ELSE 0 END,
    external_id = coalesce(s.external_id, t.external_id),
    last_error = CASE WHEN s.too_late THEN CAST(:too_late AS text)
                      WHEN s.kind IN ('submitted', 'pending') THEN NULL ELSE coalesce(s.error, t.last_error) END,
    deadline_at = CASE WHEN s.kind = 'submitted'
      THEN coalesce(t.deadline_at, now() + CAST(:deadline AS float8) * interval '1 second') ELSE t.deadline_at END,
    next_attempt_at = CASE WHEN s.kind = 'pending' AND t.deadline_at > now()
      THEN least(s.due, t.deadline_at) ELSE s.due END
  FROM s WHERE t.task_id = s.task_id AND t.claim_no = s.claim_no AND t.claimed_by IS NOT NULL
  RETURNING t.task_id, t.$owner AS aggregate_id, t.status, t.last_error, s.kind),
o AS (
  INSERT INTO polling_outbox (topic, task, task_id, aggregate, aggregate_id, reason)
  SELECT CAST(:task AS text) || CASE kind WHEN 'rejected' THEN '.rejected' ELSE '.failed' END, CAST(:task AS text),
    task_id, CAST(:aggregate AS text), aggregate_id, last_error
  FROM u WHERE status = 'FAILED')
SELECT task_id, status FROM u
"""
"""All other outcomes. What makes a row fail is decided here, by the row as it is and the database's clock."""

RENEW = """
WITH mine AS MATERIALIZED (
  SELECT t.task_id FROM $task_table AS t
  JOIN unnest(CAST(:task_ids AS bigint[]), CAST(:claim_nos AS int[])) AS d(task_id, claim_no)
    ON t.task_id = d.task_id AND t.claim_no = d.claim_no
  WHERE t.claimed_by IS NOT NULL),
l AS MATERIALIZED (
  SELECT t.task_id FROM $task_table AS t
  JOIN unnest(CAST(:task_ids AS bigint[]), CAST(:claim_nos AS int[])) AS d(task_id, claim_no)
    ON t.task_id = d.task_id AND t.claim_no = d.claim_no
  WHERE t.claimed_by IS NOT NULL FOR UPDATE OF t SKIP LOCKED),
u AS (
  UPDATE $task_table AS t SET next_attempt_at = now() + CAST(:lease AS float8) * interval '1 second'
  FROM l WHERE t.task_id = l.task_id RETURNING t.task_id)
SELECT mine.task_id, u.task_id IS NOT NULL AS renewed FROM mine LEFT JOIN u ON u.task_id = mine.task_id
"""
"""A renewal never waits for a lock: with a completion that holds one it would deadlock (it did), and a row that is
locked is being settled. What is missing from the answer is lost; what is there and not renewed gets its turn later."""

BRING_FORWARD = """
WITH d AS (
  SELECT * FROM unnest(CAST(:task_ids AS bigint[]), CAST(:claim_nos AS int[])) AS d(task_id, claim_no)),
l AS MATERIALIZED (
  SELECT t.task_id FROM $task_table AS t JOIN d ON t.task_id = d.task_id AND t.claim_no = d.claim_no
  WHERE t.claimed_by IS NULL AND t.$open AND t.next_attempt_at > now() FOR UPDATE OF t SKIP LOCKED)
UPDATE $task_table AS t SET next_attempt_at = now(), updated_at = now() FROM l WHERE t.task_id = l.task_id
RETURNING t.task_id
"""
"""For rows that paid for an outage: no longer claimed, not touched since, and due some time later."""
