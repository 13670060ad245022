"""What is printed after generation is four numbered steps that work when pasted."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from baking import Oven, clean_environment
from hook_modules import post_gen, pre_gen


def steps(root: Path, **answers: str) -> list[list[str]]:
    """Returns the commands of each step."""
    model = pre_gen.judge(pre_gen.DEFAULTS | answers).model
    text = post_gen.next_steps(root, post_gen.linked(model))
    assert re.findall(r"^  (\d)\. ", text, flags=re.MULTILINE) == ["1", "2", "3", "4"]
    return [
        re.findall(r"^       (.*)$", step, flags=re.MULTILINE)
        for step in re.split(r"^  \d\. ", text, flags=re.MULTILINE)[1:]
    ]


@pytest.mark.skipif(not shutil.which("git"), reason="no git on this machine")
def test_the_first_step_works_in_a_folder_with_a_difficult_name(bake: Oven, tmp_path: Path) -> None:
    folder = tmp_path / 'it\'s a "folder" with $HOME'
    shutil.copytree(bake().root, folder)
    ((command,), *_) = steps(folder)

    subprocess.run(["sh", "-c", command], check=True, cwd="/", env=clean_environment())

    tracked = subprocess.run(["git", "ls-files"], cwd=folder, capture_output=True, text=True, check=True).stdout
    assert "pyproject.toml" in tracked.splitlines()


def test_the_second_and_fourth_step_are_targets_of_the_service(bake: Oven) -> None:
    _, run, _, prove = steps(bake().root)

    makefile = bake().read("Makefile")
    for command in (*run, *prove):
        verb, *targets = command.split()
        assert verb == "make"
        assert all(re.search(rf"^{target}:", makefile, flags=re.MULTILINE) for target in targets)


def test_the_third_step_is_a_request_that_the_service_answers() -> None:
    _, _, (request,), _ = steps(Path("/x"), tasks="purchase_order.confirmation@sber")
    assert "http://127.0.0.1:8000/purchase-orders " in request
    assert '{"payload": {' in request

    _, _, (question,), _ = steps(Path("/x"), tasks="")
    assert question.endswith("http://127.0.0.1:8001/health/ready")
