"""What is likened: the noun before the comparison, or the one that it stands before, as the grammar has it."""

from __future__ import annotations

from trope.strategies.guard.japanese.candidates import Candidate
from trope.strategies.guard.japanese.kinds import being, ends_in, is_one_of, is_quality
from trope.strategies.guard.japanese.morphemes import Morpheme
from trope.strategies.guard.japanese.phrases import Noun, adverbial, noun_after, simple_noun
from trope.strategies.guard.japanese.topics import topic
from trope.strategies.guard.lexicon import words


def tenor(c: Candidate) -> Noun | None:
    """The head of the noun phrase that is likened, or None if the sentence does not name it."""
    if c.marker.place == "noun":
        return c.near if _a_part(c) else c.likened
    if c.marker.place == "predicate":
        return _within(c) or _about(c)
    n = c.sentence.starting(c.left)
    comma = n > 1 and c.sentence.morphemes[n - 1].surface == "、"
    direct = c.sentence.at(n - 1 - comma)
    if direct is not None and direct.particle("が") and direct.sort == "格助詞":
        return c.topic
    near = _object(c, direct)
    if near is None and c.marker.after == c.marker.end:
        near = _modified(c)
    about = near or _about(c)
    if about is None or (near is None and not _marked(c, about)):  # `コーギー、旗を振るみたいに|耳がぱたぱた`
        return _named_after(c) or about or _said_of(c)
    return about


def _a_part(c: Candidate) -> bool:
    """Whether the nearest noun is somebody's look or part: `体つき` of `熊のような体つきの力士`."""
    near = c.near
    link = c.sentence.at(near.last + 1) if near is not None else None
    if near is None or link is None or not link.particle("の") or is_one_of(c.likened, "facets", "insides"):
        return False
    part = is_one_of(near, "attributes", "eyes", "faces", "looks_of_faces", "skins") and not is_one_of(near, "folk")
    return part or (ends_in(near, "body_parts") and not being(near))


def _about(c: Candidate) -> Noun | None:
    """The topic that is a noun and no time: not `怒る` of `怒るとさ、`, not `今` of `今は`, not `音` of `音もなく`."""
    noun = c.topic
    while noun is not None:
        time = adverbial(noun) and noun.words not in words("ja", "shown_times")
        lacking = c.sentence.at(noun.last + 2)
        lacking_one = lacking is not None and lacking.normal in ("無い", "無げ")
        if _names(noun) and not (time or lacking_one or is_one_of(noun, "formal")):
            break
        noun = topic(c.sentence, noun.first)
    if noun is not None and noun.words in ("たち", "達", "ら") and noun.first:  # `私|たち`
        before = c.sentence.morphemes[noun.first - 1]
        span = (before.start, noun.span[1])
        return Noun(noun.first - 1, noun.last, span, c.sentence.quote(*span), before)
    return noun


def _names(noun: Noun) -> bool:
    return noun.head.nominal or noun.head.kind == "代名詞"


def _marked(c: Candidate, noun: Noun) -> bool:
    """Whether は, も or が stands right behind a noun, and no comma, no `の上には`."""
    after = c.sentence.at(noun.last + 1)
    return after is not None and after.particle("は", "も", "が", "って")


def _said_of(c: Candidate) -> Noun | None:
    """`よろしくぎゅうぎゅう詰めの|勤め人たち`: the head of what stands there without a verb."""
    verbless = not any(m.kind == "動詞" for m in c.following)
    return noun_after(c.sentence, c.marker.after) if verbless else None


def subject_within(c: Candidate) -> int | None:
    """The number of a が that was read into what is compared, of a fragment: `タオルが|煮立った鍋のよう`."""
    if c.clause is not None or c.marker.place != "predicate":
        return None
    first = c.sentence.starting(c.left)
    if any(m.particle("は") for m in c.sentence.morphemes[:first]):
        return None
    return next((n for n in range(first + 1, c.noun.first) if c.sentence.morphemes[n].particle("が")), None)


def _within(c: Candidate) -> Noun | None:
    link = subject_within(c)
    return None if link is None else simple_noun(c.sentence, link - 1)


def _object(c: Candidate, direct: Morpheme | None) -> Noun | None:
    """`コートを翼のように広げて`: a thing that is handled like another thing."""
    verb = next((m for m in c.following if m.kind == "動詞"), None)
    if direct is None or not direct.particle("を") or verb is None or verb.normal not in words("ja", "handled"):
        return None
    if being(c.noun) or ends_in(c.noun, "animals"):
        return None
    return simple_noun(c.sentence, c.sentence.ending(direct.start) or 0)


def _modified(c: Candidate) -> Noun | None:
    """`炎のように赤い|髪`, `雪のように|肌の白い娘`, `ふかふかの|こけ`: the noun whose attribute the comparison is."""
    for m, after in zip(c.following, c.following[1:], strict=False):
        n = c.sentence.starting(after.start)
        if after.particle("が", "の") and m.nominal and not is_quality(m):
            verb = c.sentence.at(n + 1)
            if verb is not None and is_quality(verb):
                return simple_noun(c.sentence, n - 1)
        if m.particle("は") or m.sort == "接続助詞":
            return None
        said = (m.kind in ("副詞", "形状詞") and after.surface in ("の", "な")) or after.surface == "な"
        head = c.sentence.at(n + 1) if said else after
        if head is None or not (head.nominal or head.kind == "接頭辞") or head.surface in words("ja", "formal"):
            continue
        if said or (m.attributive and (m.kind != "連体詞" or m.surface in ("大きな", "小さな"))):
            return _phrase_end(c, c.sentence.starting(head.start))
    return None


def _phrase_end(c: Candidate, n: int) -> Noun | None:
    while (following := c.sentence.at(n + 1)) is not None and following.nominal:
        n += 1
    noun, link, beyond = simple_noun(c.sentence, n), c.sentence.at(n + 1), c.sentence.at(n + 2)
    of_a_time = noun is not None and adverbial(noun) and link is not None and link.particle("の")
    return _phrase_end(c, n + 2) if of_a_time and beyond is not None and beyond.nominal else noun  # `朝の|光`


def _named_after(c: Candidate) -> Noun | None:
    """`まるで鏡みたいに、湖が空を映す`: named only after the comparison."""
    for n in range(c.sentence.starting(c.marker.after) + 1, len(c.sentence.morphemes)):
        m = c.sentence.morphemes[n]
        if m.kind == "補助記号" and c.sentence.morphemes[n - 1].surface not in _JOINS:
            return None
        if m.particle("は", "も") or (m.particle("が") and m.sort == "格助詞"):
            noun = simple_noun(c.sentence, n - 1)
            return noun if noun is not None and _names(noun) and not is_one_of(noun, "formal") else None
    return None


_JOINS = ("て", "で", "まま", "ながら", "つつ")  # before a comma: the subject is that of the clause to come
