"""Croissant metadata of a release: what machines that collect data sets read (https://docs.mlcommons.org/croissant)."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trope.build.vmetaphor.release import About

VERSION = "http://mlcommons.org/croissant/1.0"
LICENSES = {"CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/"}
# field, column of a line, path inside it, type, what it is; the values of `figures` and `questions` are lists
_FIELDS: tuple[tuple[str, str, str | None, str, str], ...] = (
    ("id", "id", None, "sc:Text", "Name of the item."),
    ("text", "text", None, "sc:Text", "The conceptual prompt."),
    ("image", "image", None, "sc:URL", "Address of the picture; the picture itself is not part of the data."),
    ("target", "figures", "$.tenor", "sc:Text", "What the picture is about."),
    ("source", "figures", "$.vehicle", "sc:Text", "What that is likened to."),
    ("structure", "figures", "$.structure", "sc:Text", "How the two are brought together."),
    ("meaning", "figures", "$.ground", "sc:Text", "What the picture says."),
    ("category", "labels", "$.category", "sc:Text", "One of ten themes."),
    ("level", "labels", "$.level", "sc:Text", "Individual, External or Creative."),
    ("picture_sha256", "labels", "$.picture_sha256", "sc:Text", "Of the picture that was annotated, as RGB."),
    ("descriptive", "prompts", "$.descriptive", "sc:Text", "The prompt that says what is to be seen."),
    ("style", "prompts", "$.style", "sc:Text", "The look, to be appended to either prompt."),
    ("question", "questions", "$.stem", "sc:Text", "The questions."),
    ("options", "questions", "$.options", "sc:Text", "The options of each question."),
    ("answer", "questions", "$.answer", "sc:Integer", "Which option of each question is right, from 0."),
)
_LISTS = ("figures", "questions")
_CONTEXT: dict[str, Any] = {
    "@language": "en", "@vocab": "https://schema.org/", "citeAs": "cr:citeAs", "column": "cr:column",
    "conformsTo": "dct:conformsTo", "cr": "http://mlcommons.org/croissant/", "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"}, "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/", "examples": {"@id": "cr:examples", "@type": "@json"}, "extract": "cr:extract",
    "equivalentProperty": "cr:equivalentProperty", "samplingRate": "cr:samplingRate",
    "field": "cr:field", "fileProperty": "cr:fileProperty", "fileObject": "cr:fileObject", "fileSet": "cr:fileSet",
    "format": "cr:format", "includes": "cr:includes", "isLiveDataset": "cr:isLiveDataset", "jsonPath": "cr:jsonPath",
    "key": "cr:key", "md5": "cr:md5", "parentField": "cr:parentField", "path": "cr:path", "recordSet": "cr:recordSet",
    "references": "cr:references", "regex": "cr:regex", "repeated": "cr:repeated", "replace": "cr:replace",
    "sc": "https://schema.org/", "separator": "cr:separator", "source": "cr:source", "subField": "cr:subField",
    "transform": "cr:transform",
}  # fmt: skip


def metadata(about: About, items: bytes, count: int) -> dict[str, Any]:
    """The metadata of a release whose ``items.jsonl`` has these bytes.

    Returns
    -------
    A JSON-LD object of schema.org/Dataset that conforms to Croissant 1.0.
    """
    people = " and ".join(about.creators)
    described: dict[str, Any] = {
        "@context": _CONTEXT, "@type": "sc:Dataset", "conformsTo": VERSION, "name": about.title,
        "description": f"{count} visual metaphors: picture addresses, annotations, prompts and questions. No pictures.",
        "license": LICENSES.get(about.license, about.license), "version": about.version, "datePublished": about.date,
        "creator": [{"@type": "sc:Person", "name": name} for name in about.creators],
        "citeAs": f"{people} ({about.date[:4]}). {about.title}, version {about.version}.",
        "distribution": [{
            "@type": "cr:FileObject", "@id": "items.jsonl", "name": "items.jsonl", "contentUrl": "items.jsonl",
            "contentSize": f"{len(items)} B", "encodingFormat": "application/jsonlines",
            "sha256": hashlib.sha256(items).hexdigest(),
        }],
        "recordSet": [{
            "@type": "cr:RecordSet", "@id": "items", "name": "items", "key": {"@id": "items/id"},
            "field": [_field(*of) for of in _FIELDS if f'"{of[1]}":'.encode() in items],
        }],
    }  # fmt: skip
    return described | ({"url": about.url} if about.url else {})


def _field(name: str, column: str, inside: str | None, kind: str, what: str) -> dict[str, Any]:
    source: dict[str, Any] = {"fileObject": {"@id": "items.jsonl"}, "extract": {"column": column}}
    if inside is not None:
        source["transform"] = {"jsonPath": inside}
    made = {"@type": "cr:Field", "@id": f"items/{name}", "name": name, "description": what, "dataType": kind}
    return {**made, "source": source, **({"repeated": True} if column in _LISTS else {})}
