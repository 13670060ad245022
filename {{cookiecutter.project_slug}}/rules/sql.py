"""What SQL says about a queue: rows that wait, are due, are taken, are locked; as text and as names of columns."""

import re

_DUE = (
    r"(next_\w+_at|next_run|next_attempt|next_retry|next_poll|(run|retry|due|poll|wake|eta|visible|available|ready|execute|process|publish|send"
    r"|deliver|scheduled|schedule|start|not|expires?|locked|lease|leased|claimed|reserved)_(at|after|on|from|for|before|until|time|till)|due|eta"
    r"|not_before|scheduled_time|run_date)"
)
_STATES = (
    r"(pending|in_progress|queued|new|ready|waiting|scheduled|retry|retrying|todo|enqueued|unprocessed|submitted|created|open|idle|unsent|to_send"
    r"|processing|accepted|running|polling|awaiting\w*)"
)
_STATUS = r"(status|state|task_status|job_status|job_state|task_state|phase)"
_DONE = r"(processed|published|sent|dispatched|delivered|handled|relayed|is_processed|is_published|is_sent|done|completed|acknowledged)"

DUE = re.compile(
    rf"\b{_DUE}\s*(<|is\s+null)"
    rf"|\b{_STATUS}\s*(=|in|<>|!=|=\s*any)\s*\(?\s*'{_STATES}"
    rf"|\b{_DONE}\s*(=|is)\s*(false|0|'f'|'n')|\bnot\s+{_DONE}\b|\b{_DONE}(_at|_on)?\s+is\s+null",
    re.IGNORECASE,
)
SELECTS = re.compile(r"\bselect\b.*\bfrom\b|\bupdate\b.*\bset\b|\bdelete\s+from\b", re.IGNORECASE | re.DOTALL)
TAKES = re.compile(
    r"\blimit\b|\bfor\s+(no\s+key\s+)?(update|share)\b|\bfetch\s+(first|next)\b|\breturning\b|\btop\s*\(?\d",
    re.IGNORECASE,
)
SKIPS = re.compile(r"\bskip\s+locked\b", re.IGNORECASE)
PAGES = re.compile(r"\boffset\b", re.IGNORECASE)
COUNTS = re.compile(r"\b(count|min|max|exists|avg|sum)\s*\(", re.IGNORECASE)
BOUND_STATUS = re.compile(rf"\b{_STATUS}\s*(=|in)\s*\(?\s*(:\w|\$\d|%|any|\?|{{}})", re.IGNORECASE)
LOCKS = re.compile(r"\bfor\s+(no\s+key\s+)?update\b", re.IGNORECASE)
QUEUE = re.compile(
    r"\b(from|update)\s+\"?(\w+\.)?\"?\w*(task|job|queue|outbox|inbox|pending|work_item)s?\"?\b", re.IGNORECASE
)
ONE_ROW = re.compile(r"\bwhere\s+\(?(\w+\.)?(id|\w+_id)\s*=\s*([:$%{?]|')", re.IGNORECASE)
BY_KEY = re.compile(r"\bwhere\s+\(?(\w+\.)?\w*id\s*=\s*\w+\.\w*id\b", re.IGNORECASE)  # joined to rows that are known
LIMITS = re.compile(r"\blimit\b|\bfetch\s+(first|next)\b", re.IGNORECASE)
INSERTS = re.compile(r"^\s*(insert|create|alter|with\s+\w+\s+as\s+materialized\s+never)\b", re.IGNORECASE)

DUE_COLUMN = re.compile(rf"^{_DUE}$")
STATUS_COLUMN = re.compile(rf"^{_STATUS}$")
DONE_COLUMN = re.compile(rf"^{_DONE}(_at|_on)?$")
WAITING = re.compile(rf"^{_STATES}$", re.IGNORECASE)


def polls(text: str) -> bool:
    """Whether a statement takes waiting rows, and neither skips those that others hold nor asks for one by its key."""
    if SKIPS.search(text) or INSERTS.match(text) or not SELECTS.search(text):
        return False
    bound = BOUND_STATUS.search(text) and (LOCKS.search(text) or (QUEUE.search(text) and not PAGES.search(text)))
    if not (DUE.search(text) or bound) or not TAKES.search(text) or ONE_ROW.search(text):
        return False
    if BY_KEY.search(text) and not LOCKS.search(text) and not LIMITS.search(text):
        return False
    if PAGES.search(text) and not LOCKS.search(text):
        return False
    return not COUNTS.search(re.split(r"\bfrom\b", text, maxsplit=1, flags=re.IGNORECASE)[0])
