from .generated.models import Order as OrderDto
