"""Metrics of inbound requests, under the names that OpenTelemetry's Prometheus exporter prints (R-RES-OBS-1)."""

from prometheus_client import Gauge, Histogram

DURATION = Histogram(
    "http_server_request_duration_seconds",
    "Inbound requests by route template; unknown paths share the empty route.",
    ["http_request_method", "http_route", "http_response_status_code"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10),
)
ACTIVE = Gauge("http_server_active_requests", "Inbound requests in flight.", ["http_request_method"])

METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
OTHER = "_OTHER"
"""What OpenTelemetry calls a method outside the known ones: a label must not take what a client invents."""


class HttpMetrics:
    """Counts requests; children are kept, because looking one up costs more than counting."""

    def __init__(self) -> None:
        self._durations: dict[tuple[str, str, int], Histogram] = {}
        self._active = {method: ACTIVE.labels(method) for method in (*METHODS, OTHER)}

    def begin(self, method: str) -> str:
        """Count a request in; returns the method's label."""
        label = method if method in METHODS else OTHER
        self._active[label].inc()
        return label

    def end(self, method: str, route: str, status: int, duration_s: float) -> None:
        """Count a request out after `duration_s` seconds; `method` is what `begin` returned."""
        self._active[method].dec()
        key = (method, route, status)
        child = self._durations.get(key)
        if child is None:
            child = self._durations[key] = DURATION.labels(method, route, str(status))
        child.observe(duration_s)
