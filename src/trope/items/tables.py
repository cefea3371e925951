"""The tables of a set's cells, as `trope items stats` prints them and the datasheet holds them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from trope.items.reading import items_digest
from trope.items.words import words
from trope.nouns import Item

Of = Callable[[Item], str]


@dataclass(frozen=True, slots=True)
class Table:
    """A title, column names, rows of text."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def markdown(self) -> str:
        """As a Markdown table under its title."""
        lines = [f"**{self.title}**", "", _line(self.header), _line(["---", *["---:"] * (len(self.header) - 1)])]
        return "\n".join([*lines, *map(_line, self.rows)]) + "\n"

    def text(self) -> str:
        """Tab-separated under its title."""
        return "\n".join([self.title, "\t".join(self.header), *("\t".join(row) for row in self.rows)]) + "\n"


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def cross(items: Sequence[Item], title: str, rows: Of, columns: Of, order: Sequence[str] = ()) -> Table:
    """Counts of items by two fields, with sums; in parentheses how many of them are held out, if any is."""
    cells = Counter((rows(item), columns(item)) for item in items)
    held = Counter((rows(item), columns(item)) for item in items if item.held_out)
    names = sorted({column for _, column in cells}, key=lambda c: (order.index(c) if c in order else len(order), c))
    body = []
    for row in sorted({row for row, _ in cells}, key=lambda r: (order.index(r) if r in order else len(order), r)):
        body.append(
            (row, *(_count(cells, held, [(row, c)]) for c in names), _count(cells, held, [(row, c) for c in names]))
        )
    if len(body) > 1:
        every = sorted({row for row, _ in cells})
        sums = [_count(cells, held, [(r, c) for r in every]) for c in names]
        body.append(("all", *sums, _count(cells, held, list(cells))))
    return Table(f"{title} (held out)" if held else title, ("", *names, "all"), tuple(body))


def _count(cells: Counter[tuple[str, str]], held: Counter[tuple[str, str]], keys: Sequence[tuple[str, str]]) -> str:
    count = sum(cells[key] for key in keys)
    if not count or not held:
        return str(count) if count else "–"
    return f"{count} ({sum(held[key] for key in keys)})"


def set_tables(name: str, items: Sequence[Item]) -> list[Table]:
    """The tables of a set: what there is by the cells that matter to it."""
    return [_summary(name, items), *_TABLES.get(name, _any)(items)]


def _summary(name: str, items: Sequence[Item]) -> Table:
    lengths = sorted(len(words(i.text)) if i.lang in ("en", "ar") else len(i.text) for i in items)
    middle = lengths[len(lengths) // 2] if lengths else 0
    rows = (
        ("items", str(len(items))),
        ("held out", str(sum(i.held_out for i in items))),
        ("figures", str(sum(len(i.figures) for i in items))),
        ("questions", str(sum(len(i.questions) for i in items))),
        ("vehicles", str(len({(i.lang, i.cluster.get("vehicle")) for i in items if "vehicle" in i.cluster}))),
        ("words (zh, ja: characters), least–median–most", f"{lengths[0]}–{middle}–{lengths[-1]}" if lengths else "–"),
        ("verified by a person", str(sum(bool(i.verified_by) for i in items))),
        ("SHA-256 of the items", f"`{items_digest(items)}`"),
    )
    return Table(f"{name}: what there is", ("", "value"), rows)


def _label(field: str) -> Of:
    return lambda item: item.labels.get(field, "–")


def _lang(item: Item) -> str:
    return item.lang


def _figure(field: str) -> Of:
    return lambda item: str(getattr(item.figure, field, None) or "–")


_LANGS = ("en", "zh", "ja", "ar")
_FORMS = ("simile", "metaphor", "substitutive_metaphor", "idiom")
_MECHANISMS = ("semantic_shift", "perceptual_resemblance", "cross_modal_mapping", "idiomaticity")


def _simile(items: Sequence[Item]) -> list[Table]:
    from trope.items.rules.templates import TEMPLATES

    heads = Counter(words((i.figure.tenor if i.figure else "") or "-")[-1].lower() for i in items)
    common = Counter(heads.values())
    times = tuple((f"{n} times", str(common[n])) for n in sorted(common))
    return [
        cross(items, "Templates by mechanism", lambda i: i.cluster.get("template", "–"), _figure("mechanism"),
              (*TEMPLATES, *_MECHANISMS)),
        _by_class(items),
        Table("Subjects (last word of the tenor) by how often they are used", ("used", "subjects"), times),
    ]  # fmt: skip


def _by_class(items: Sequence[Item]) -> Table:
    rows = []
    for name in sorted({i.cluster.get("vehicle", "–") for i in items}):
        of = [i for i in items if i.cluster.get("vehicle", "–") == name]
        subjects = len({(i.figure.tenor or "").lower() for i in of if i.figure})
        scene = sum(bool(i.class_may_be_in_scene) for i in of)
        mean = sum(len(words(i.text)) for i in of) / len(of)
        rows.append((name, str(len(of)), str(sum(i.held_out for i in of)), str(subjects), f"{mean:.1f}", str(scene)))
    header = ("class", "items", "held out", "subjects", "words (mean)", "class may be in scene")
    return Table("Classes", header, tuple(rows))


def _literal(items: Sequence[Item]) -> list[Table]:
    return [cross(items, "Kinds by language", _label("kind"), _lang, _LANGS)]


def _vista(items: Sequence[Item]) -> list[Table]:
    order = (*_FORMS, *_MECHANISMS, *_LANGS)
    tables = []
    for lang in _LANGS:
        if of := [i for i in items if i.lang == lang]:
            tables.append(cross(of, f"{lang}: form by mechanism", _figure("form"), _figure("mechanism"), order))
    asked = [i for i in items if any(q.id.startswith("C") for q in i.questions)]
    if asked:
        tables.append(cross(asked, "Items with control questions: form by language", _figure("form"), _lang, order))
        tables.append(
            cross(asked, "Items with control questions: mechanism by language", _figure("mechanism"), _lang, order)
        )
    return tables


def _passages(items: Sequence[Item]) -> list[Table]:
    figures = Counter(
        (str(figure.form or "–"), str(figure.mechanism or "–")) for item in items for figure in item.figures
    )
    forms, mechanisms = ([n for n in names if any(n in key for key in figures)] for names in (_FORMS, _MECHANISMS))
    rows = tuple((form, *(str(figures[form, m]) for m in mechanisms)) for form in forms)
    return [
        cross(items, "Figures a passage, by language", lambda i: str(len(i.figures)), _lang, _LANGS),
        cross(items, "Is a vehicle-like thing real in the story?", _label("real_vehicle"), _lang, _LANGS),
        Table("Figures: form by mechanism", ("", *mechanisms), rows),
    ]


def _vmetaphor(items: Sequence[Item]) -> list[Table]:
    order = ("fusion", "replacement", "juxtaposition")
    return [
        cross(items, "Categories by structure", _label("category"), _figure("structure"), order),
        cross(items, "Which of the two is absent, by structure", _label("absent"), _figure("structure"), order),
        cross(items, "Pairs within collage's classes, by structure", _label("collage"), _figure("structure"), order),
        cross(items, "Mappings an item, by structure",
              lambda i: str(len(i.figures[0].mappings) if i.figures else 0), _figure("structure"), order),
    ]  # fmt: skip


def _any(items: Sequence[Item]) -> list[Table]:
    order = (*_FORMS, *_MECHANISMS, *_LANGS)
    return [
        cross(items, "Form by language", _figure("form"), _lang, order),
        cross(items, "Mechanism by language", _figure("mechanism"), _lang, order),
    ]


_TABLES: dict[str, Callable[[Sequence[Item]], list[Table]]] = {
    "simile": _simile, "demo": _simile, "literal": _literal, "vista": _vista, "passages": _passages,
    "vmetaphor": _vmetaphor,
}  # fmt: skip


def blind_table(items: Sequence[Item], rules: str) -> Table:
    """The blind battery of a set: how often each guesser is right, with its interval, beside chance."""
    from trope.items.rules.blind import GUESSERS, TRAINED, battery
    from trope.items.rules.vista import level as vista_level
    from trope.items.rules.vmetaphor import level as vmetaphor_level

    level = {"vista": vista_level, "vmetaphor": vmetaphor_level}.get(rules, lambda item, question: question.axis)
    found = battery(items, level)
    columns = (*GUESSERS, TRAINED)
    rows = []
    for name in sorted({guess.level for guess in found}):
        of = {guess.guesser: guess for guess in found if guess.level == name}
        cells = [f"{g.right.value:.1%} [{g.right.low:.1%}, {g.right.high:.1%}]" for g in (of[n] for n in columns)]
        any_ = next(iter(of.values()))
        rows.append((name, str(any_.right.n), f"{any_.chance:.1%}", *cells))
    title = f"Blind battery of {rules}: right answers of a guesser who sees no picture"
    return Table(title, ("level", "questions", "chance", *columns), tuple(rows))
