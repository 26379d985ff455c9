#!/usr/bin/env python3
"""Measures the comments of Rust source: docs/comments.py FOLDER…

Prints, for each folder, the share of doc comments with a meaningless first word ("The", "Returns"), and the share of line
comments that give a reason. Skips generated code, and tests in separate files.
"""

import pathlib
import re
import sys

EMPTY_STARTS = {"The", "Returns"}
REASONS = re.compile(r"\b(because|since|so that|so|otherwise|would|must|cannot|need|needs|as .* does|instead|avoid\w*)\b", re.I)


def blocks(text, marker):
    """Yields each block of consecutive lines that start with `marker`, joined to a single line."""
    block = []
    for line in [*text.splitlines(), ""]:
        stripped = line.strip()
        if stripped.startswith(marker) and not (marker == "//" and stripped.startswith(("///", "//!"))):
            block.append(stripped.removeprefix(marker).strip())
        elif block:
            yield " ".join(block)
            block = []


def measure(folder):
    files = [file for file in pathlib.Path(folder).rglob("*.rs") if not {"tests", "target", "examples"} & set(file.parts)]
    texts = [file.read_text(encoding="utf-8") for file in files]
    docs = [doc for text in texts for doc in blocks(text, "///") if doc]
    comments = [comment for text in texts for comment in blocks(text, "//") if comment]
    starts = sum(doc.split()[0] in EMPTY_STARTS for doc in docs)
    reasons = sum(bool(REASONS.search(comment)) for comment in comments)
    share = lambda part, whole: f"{100 * part / max(len(whole), 1):.0f} % of {len(whole)}"
    return share(starts, docs), share(reasons, comments)


for folder in sys.argv[1:]:
    starts, reasons = measure(folder)
    print(f"| `{folder}` | {starts} | {reasons} |")
