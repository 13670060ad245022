from pydantic import BaseModel
class Policy(BaseModel):
    id: str
    retry: int = 3
