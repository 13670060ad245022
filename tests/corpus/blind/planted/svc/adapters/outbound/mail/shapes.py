from . import generated
from .generated import models as m
from .generated.models import Letter
class MailAdapter:
    def a(self) -> "list[Letter]":  #! OAS-X3
        ...
    async def b(self) -> m.Letter | None:  #! OAS-X3
        ...
    async def c(self):  #! OAS-X3
        return [Letter(**r) for r in await self.rows()]
