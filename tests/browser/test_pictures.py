"""Compares pictures of the pages with references in `.ci/pictures`. To update those that differ, and then look at them:

    UPDATE=1 target/browser-venv/bin/python -m pytest tests/browser/test_pictures.py
"""

import io
import os

import pytest
from conftest import ROOT
from PIL import Image, ImageChops, ImageFilter
from states import STATES, THEMES, Studio

REFERENCES = ROOT / ".ci/pictures"
MOST_BYTES = 3_000_000
# The tolerance. Another machine may smooth letters differently, and has other typefaces for characters that the pages'
# typefaces lack, such as ▼, which shift the words next to them. Pictures are therefore compared at a quarter of their
# size. A pixel differs if a colour is more than 32 of 255 outside the range of the nine pixels around it in the other
# picture. At most one pixel in 500 may differ, which is the area of a small button.
REDUCTION = 4
NEIGHBOURS = 3
MOST_DIFFERENCE = 32
MOST_PLACES = 1 / 500
FORMAT = {"format": "webp", "quality": 85, "method": 4}
COMMAND = "UPDATE=1 target/browser-venv/bin/python -m pytest tests/browser/test_pictures.py"


@pytest.fixture(scope="module")
def studio(chromium, tmp_path_factory):
    studio = Studio(chromium, tmp_path_factory.mktemp("studio"))
    yield studio
    studio.close()


def encoded(picture):
    file = io.BytesIO()
    picture.save(file, **FORMAT)
    return file.getvalue()


def decoded(content):
    return Image.open(io.BytesIO(content)).convert("RGB")


def beyond(one, other):
    """Returns how far a picture's colours are outside the range around the same place of another picture."""
    lowest, highest = other.filter(ImageFilter.MinFilter(NEIGHBOURS)), other.filter(ImageFilter.MaxFilter(NEIGHBOURS))
    return ImageChops.lighter(ImageChops.subtract(one, highest), ImageChops.subtract(lowest, one))


def differing(one, other):
    """Returns the places that differ, white on black, or None if they are within the tolerance."""
    if one.size != other.size:
        return Image.new("L", one.size, 255)
    one, other = one.reduce(REDUCTION), other.reduce(REDUCTION)
    red, green, blue = ImageChops.lighter(beyond(one, other), beyond(other, one)).split()
    largest = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    places = largest.point(lambda value: 255 if value > MOST_DIFFERENCE else 0)
    share = places.histogram()[255] / (places.width * places.height)
    return places if share > MOST_PLACES else None


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.name)
def test_the_page_looks_like_its_reference(studio, artifacts, state):
    wrong = []
    for theme, picture in studio.pictures(state).items():
        name = f"{state.name}-{theme}"
        reference, content = REFERENCES / f"{name}.webp", encoded(picture)
        if "UPDATE" in os.environ:
            REFERENCES.mkdir(exist_ok=True)
            reference.write_bytes(content)
            continue
        before = decoded(reference.read_bytes()) if reference.exists() else Image.new("RGB", (1, 1))
        places = differing(decoded(content), before)
        if places is not None:
            (artifacts / reference.name).write_bytes(content)
            places.resize(picture.size).save(artifacts / f"{name}-difference.webp", lossless=True)
            wrong.append(name)
    assert wrong == [], f"{wrong} differ from .ci/pictures: see {artifacts}. To renew them: {COMMAND}"


def test_the_references_are_small_and_none_is_left_over():
    files = list(REFERENCES.iterdir())
    assert {file.stem for file in files} == {f"{state.name}-{theme}" for state in STATES for theme in THEMES}
    assert sum(file.stat().st_size for file in files) <= MOST_BYTES
