from fastapi import APIRouter, BackgroundTasks
router = APIRouter()
@router.post("/cases")
def create_case(body: CaseIn, session, background_tasks: BackgroundTasks):
    case = create(session, body)
    background_tasks.add_task(case_created_flow, case.id)
    return case
@router.put("/cases/{id}")
async def update_case(id: int, body: CaseIn, background_tasks: BackgroundTasks):
    updated = await update(id, body)
    if updated.closed:
        background_tasks.add_task(case_closed_flow, id)
    return {"case": updated, "status": "open"}
