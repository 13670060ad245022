from .circuitbreaker import CircuitBreaker as CircuitBreaker
from .listener import CircuitBreakerListener as CircuitBreakerListener
from .state import CircuitBreakerError as CircuitBreakerError
from .state import CircuitBreakerState as CircuitBreakerState
