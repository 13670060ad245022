"""The filters that sources use: they write as the formatter does, and no text can break out of a literal."""

import ast
import json
import random
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from hook_modules import post_gen
from markdown_it import MarkdownIt

TEXTS = {
    "quotes": "It's a \"quoted\" 'text' \"\"\" '''",
    "double quotes": 'Says "this" and "that"',
    "single quotes": "It's Team 'A'",
    "backslashes": "C:\\new\\table \\ \\\\ \\u0041 ends with \\",
    "emoji": "Rockets \U0001f680 and flags \U0001f1f7\U0001f1fa, familia \U0001f468‍\U0001f469‍\U0001f467",
    "newlines": "first line\nsecond line\n\nfourth line",
    "braces": "a } b %} c #} d { e } 100% {a}",
    "yaml": "key: value # no comment, - no item, & no anchor, *no alias, !no tag, yes",
    "number": "1.",
    "markdown": "# no heading, *no* _emphasis_, `no code`, <b>no tag</b>, [no](link), ![x](y) | no table | ~no~ &amp;",
    "list": "- no item\n- no item\n1. no item\n> no quote\n    no code\n```\nno fence\n```",
    "html": "<script>alert(1)</script> </textarea> <!-- -->",
    "separators": "line\u2028separator\u2029paragraph\ufeffmark\u00a0space",
    "cyrillic": "Платёжный сервис «Ромашка» №1",
    "spaces": "  leading,   doubled and a tab\tinside",
    "shell": "$(whoami) `id` ${HOME} $PATH %PATH% !! ; && rm",
    "format": "%s %(name)s {} {0} {name!r} \\N{BULLET}",
}


def rendered_text(markdown: str) -> str:
    """Returns what a reader sees of the Markdown, without the ends of blocks."""

    def walk(tokens: list[object]) -> str:
        text = ""
        for token in tokens:
            kind, children = getattr(token, "type", ""), getattr(token, "children", None)
            if kind in ("text", "code_inline", "fence", "code_block", "html_inline", "html_block"):
                text += getattr(token, "content", "")
            elif kind in ("softbreak", "hardbreak"):
                text += "\n"
            elif children:
                text += walk(children)
        return text

    return walk(list(MarkdownIt("commonmark").enable("table").parse(markdown)))


@pytest.mark.parametrize("text", TEXTS.values(), ids=list(TEXTS))
def test_quoted_is_one_literal_in_four_languages(text: str) -> None:
    literal = post_gen.quoted(text)

    assert ast.literal_eval(literal) == text
    assert json.loads(literal) == text
    assert tomllib.loads(f"key = {literal}")["key"] == text
    assert yaml.safe_load(f"key: {literal}")["key"] == text
    assert "\n" not in literal


@pytest.mark.parametrize("text", TEXTS.values(), ids=list(TEXTS))
def test_markdown_shows_the_text_as_it_is(text: str) -> None:
    assert rendered_text(post_gen.markdown(text)).rstrip("\n") == text.rstrip("\n")
    assert text in post_gen.markdown(text)


@pytest.mark.parametrize("text", TEXTS.values(), ids=list(TEXTS))
def test_markdown_line_is_one_line_that_shows_the_words(text: str) -> None:
    line = post_gen.markdown_line(text)

    assert len(line.splitlines()) == 1
    assert rendered_text(f"# {line}\n") == " ".join(text.split())


def test_plain_sentences_stay_plain_markdown() -> None:
    sentence = "Accepts work over HTTP and carries it through external systems that may fail."

    assert post_gen.markdown(sentence) == sentence
    assert post_gen.markdown_line(sentence) == sentence


def formatted(source: str, tmp_path: Path) -> str:
    """Returns the source as ruff sorts and formats it with the line length of the generated project."""
    ruff = [sys.executable, "-m", "ruff"]
    options = [
        "--isolated",
        "--config",
        "line-length=120",
        "--config",
        'src=["."]',
        "--stdin-filename",
        "module.py",
        "-",
    ]
    (tmp_path / "own").mkdir(exist_ok=True)
    for verb in (["check", "--select", "I", "--fix", "--quiet"], ["format", "--quiet"]):
        done = subprocess.run(
            [*ruff, *verb, *options], input=source, capture_output=True, text=True, check=True, cwd=tmp_path
        )
        source = done.stdout
    return source


def test_imports_come_out_as_ruff_sorts_and_wraps_them(tmp_path: Path) -> None:
    """Random first-party imports with the names that answers produce: one letter, forty letters, digits, capitals."""
    dice = random.Random(7)
    words = [
        "a",
        "b",
        "z",
        "order",
        "order1",
        "order2",
        "order10",
        "orders",
        "purchase_order",
        "x9",
        "c" * 36,
        "d" * 40,
    ]
    for _ in range(25):
        lines = []
        for _ in range(dice.randint(1, 9)):
            module = ".".join(["own", *dice.choices(words, k=dice.randint(1, 3))])
            names = dice.sample(
                [spelled for word in words for spelled in (word, post_gen_class(word), f"{word}_id".upper())],
                k=dice.randint(1, 4),
            )
            lines.append(f"from {module} import {', '.join(names)}" if dice.random() < 0.8 else f"import {module}")
        block = "\n".join(lines) + "\n"

        assert post_gen.imports(block) == formatted(block, tmp_path)


def post_gen_class(word: str) -> str:
    """Returns the class name that answers give a word."""
    return "".join(part.capitalize() for part in word.split("_"))


def test_imports_keeps_sections_and_joins_repeated_modules() -> None:
    block = (
        "import uuid\nfrom typing import Any\nimport asyncio\n\n\n"
        "from own.b import Z, a, B_ID\nfrom own.a import (\n    y,\n    x,\n)\nfrom own.b import c\n"
    )

    assert post_gen.imports(block) == (
        "import asyncio\nimport uuid\nfrom typing import Any\n\n"
        "from own.a import x, y\nfrom own.b import B_ID, Z, a, c\n"
    )


def test_imports_refuses_what_is_no_import() -> None:
    with pytest.raises(ValueError, match="not an import"):
        post_gen.imports("x = 1\n")


@pytest.mark.parametrize("length", [1, 20, 40])
@pytest.mark.parametrize(
    "statement",
    [
        "value = call_with_a_long_name(first_{n}, second_{n}, third={n}, fourth=[1, 2, {n}])",
        "def handle_{n}(self, {n}_id: int, other: Mapping[str, int], *, key: str) -> Outcome_{n}: ...",
        'raise SomeKindOfError("{n}, with (brackets) and, commas", {n}, another_argument, {n})',
    ],
)
def test_fit_breaks_a_statement_where_the_formatter_does(statement: str, length: int, tmp_path: Path) -> None:
    line = statement.replace("{n}", "n" * length)
    block = "class C:\n    " + post_gen.fit(line, 4) + "\n"

    assert block == formatted(block, tmp_path)
    assert "".join(block.split()) in ("".join(f"class C:{line}".split()), "".join(block.split()))


@pytest.mark.parametrize("text", [*TEXTS.values(), *(f"{text} " * 40 for text in TEXTS.values())])
def test_an_assigned_text_is_formatted_whatever_its_length(text: str, tmp_path: Path) -> None:
    block = post_gen.assigned(text, "DESCRIPTION") + "\n"

    assert formatted(block, tmp_path) == block
    assert ast.literal_eval(block.partition(" = ")[2]) == text
    assert max(map(len, block.splitlines())) <= 120
