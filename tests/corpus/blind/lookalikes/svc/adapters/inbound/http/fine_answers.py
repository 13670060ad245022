from fastapi import APIRouter
router = APIRouter()
@router.post("/orders", status_code=201)
async def create(body: dict, background):
    order = await uc(body)
    background.add_task(send_mail, order)
    return {"order_id": order.id, "status": "new"}
@router.delete("/orders/{id}", status_code=204)
async def delete(id: int): ...
