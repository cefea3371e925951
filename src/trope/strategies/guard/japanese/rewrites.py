"""What a comparison leaves behind when it goes: a look, a manner, nothing; or the sentence needs it and it stays."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from trope.strategies.guard.japanese.candidates import Candidate
from trope.strategies.guard.japanese.carried import manner
from trope.strategies.guard.japanese.kinds import being, ends_in, feels_nothing, is_one_of, is_quality
from trope.strategies.guard.japanese.morphemes import Morpheme
from trope.strategies.guard.japanese.phrases import Noun, clause_before, noun_before, phrase_start
from trope.strategies.guard.japanese.predicates import adverbial, predicate
from trope.strategies.guard.japanese.tenors import subject_within
from trope.strategies.guard.lexicon import words


class Rewrite(NamedTuple):
    """What stands for ``[left, after)`` of the text; None: the sentence needs it."""

    said: str | None
    left: int
    after: int


def rewritten(c: Candidate, tenor: Noun | None, carried: tuple[str, ...]) -> Rewrite:
    """What stands for the comparison, and for how much of the text."""
    quality = carried[0] if carried else None
    left, after = c.left, c.marker.after
    if c.marker.place == "predicate":
        said, after = _ending(c, quality)
        return Rewrite(said, left, after)
    if not c.following or _cut_off(c):
        return Rewrite(None, left, after)
    own = _clause_of(c)
    if own == "unsure":
        return Rewrite(None, left, after)
    left = _scene_kept(c) if own is None else own
    if c.left and c.sentence.text[c.left - 1] in " 、。" and c.sentence.text[after : after + 1] == " ":
        after += 1
    if c.marker.place == "adverb":
        return Rewrite(_beside_verb(c, tenor, quality), left, after)
    if own is not None:  # `砂漠を走る|一本道`
        return Rewrite(None if _counted(c) else quality or "", left, after)
    return Rewrite(_before_noun(c, quality, left), left, after)


def _ending(c: Candidate, quality: str | None) -> tuple[str | None, int]:
    """At the end of a sentence: `雲は|綿のようだ`."""
    marker, text = c.marker, c.sentence.text
    if subject_within(c) is not None:
        return None, marker.after
    if not c.told and text[c.left - 1 : c.left] == "、" == text[marker.after : marker.after + 1]:
        return "", marker.after + 1  # a fragment of its own: `クモの巣、真珠をつらねたよう、`
    if text[c.sentence.start : c.left].endswith(("を", "を、")):  # `矢を、たとえるなら`
        return None, marker.after
    linked = _LINKED.match(text, marker.after)
    if linked is not None and marker.sort in ("alike", "evokes") and _goes_on(c, linked.end()):
        return "", linked.end()  # `夕立に似て、激しい`
    literary = "ご" in text[marker.start : marker.end] or "如" in text[marker.start : marker.end]
    said = None
    if quality is not None and any(sign in text[max(0, c.left - 12) : c.left] for sign in _SIGN.findall(quality)):
        quality = None  # `ひび割れた大地は、`
    if quality is not None and marker.sort in ("like", "alike", "as") and not literary:
        said = predicate(quality, text, marker.after, c.sentence.end)
    evoked = _EVOKED.match(text, marker.after) if marker.sort == "evokes" else None
    if quality is not None and evoked is not None:  # `薪は|城壁を思わせる`
        ending = predicate(quality, "だった" if evoked.group() == "た" else "だ", 0, 3)
        return (None, marker.after) if ending is None else (ending[0], evoked.end())
    link = c.sentence.at(c.sentence.starting(marker.after))
    if said is None and link is not None and link.surface == "で" and c.topic is not None and c.clause is None:
        comma = text.startswith("、", link.end)
        if _looks_go_on(c, link.end + comma):  # `ほっぺは|紙ふうせんみたいで、やわらかい`
            return "", link.end + comma
    return (None, marker.after) if said is None else said


_LINKED = re.compile(r"て、?")
_EVOKED = re.compile(r"[るた](?=[、。！？!?]|$)")


def _goes_on(c: Candidate, place: int) -> bool:
    """Whether the sentence goes on with another predicate of the same subject."""
    rest = _up_to_comma(c, place)
    nothing_new = not any(m.particle("は", "が", "も") for m in rest)
    return bool(rest) and nothing_new and (is_quality(rest[0]) or any(m.kind == "動詞" for m in rest))


def _looks_go_on(c: Candidate, place: int) -> bool:
    """Whether it goes on with a look or a feel of the same subject: `いたい`, `ちくちくする`."""
    rest = _up_to_comma(c, place)
    if not rest or any(m.particle("は", "が", "も") for m in rest):
        return False
    does = len(rest) > 1 and rest[0].kind == "副詞" and rest[1].normal == "為る"
    return is_quality(rest[0]) or does


def _up_to_comma(c: Candidate, place: int) -> list[Morpheme]:
    rest = []
    for m in c.sentence.morphemes[c.sentence.starting(place) :]:
        if m.kind == "補助記号":
            break
        rest.append(m)
    return rest


def _beside_verb(c: Candidate, tenor: Noun | None, quality: str | None) -> str | None:
    """Beside a verb: `点のように|見える`, `星のように|瞬く`."""
    if _only_a_verb(c):
        return None
    first, second = c.following[0], c.following[1] if len(c.following) > 1 else None
    bends = first.surface == "し" and second is not None and second.normal == "なり"  # `柳のように|しなる`
    if first.normal in words("ja", "complements") and not bends:
        return adverbial(quality) if quality else None
    return manner(c, tenor) or ""


def _only_a_verb(c: Candidate) -> bool:
    """`猫が鳴くように歌う`, `空を飛ぶように走る。`: nobody and nothing is left but the verb."""
    alone = not c.sentence.quote(c.sentence.start, c.left).strip() and c.following[-1].end == c.sentence.end
    named = any(m.nominal or m.kind == "代名詞" or is_quality(m) or m.kind == "副詞" for m in c.following)
    return alone and c.clause is not None and not named


def _before_noun(c: Candidate, quality: str | None, left: int) -> str | None:
    """Before a noun: `綿菓子のような|雲`."""
    text, near = c.sentence.text, c.near
    if _counted(c):
        return None
    if near is None or _says_itself(c):  # `雪のような|白い肌`
        return ""
    if c.topic is not None and c.topic.words == near.words:  # `今季の赤は、柘榴のような赤`
        return None
    repeated = quality is not None and any(sign in c.rest[:14].partition("、")[0] for sign in _SIGN.findall(quality))
    if quality is not None and not repeated:
        return quality
    if _bare(c):
        return None
    carrying = near.words.endswith(tuple(words("ja", "carrying")))
    fragment = not c.told and (left == c.sentence.start or text[left - 1] in "、 　")
    fragment = fragment and c.following[-1].end <= near.span[1] and text[c.sentence.end : c.sentence.end + 1] != "。"
    empty = is_one_of(near, "carriers") or (carrying and not (near.words.endswith("色") and len(near.words) > 1))
    ends = c.following[-1].end <= near.span[1] and text[left - 1 : left] in ("は", "が")
    if ends and not c.told:  # `タレの照りは漆のような艶、`
        return None
    alone = c.likened is None or c.likened.span == near.span
    return None if empty and alone and not fragment else ""


_SIGN = re.compile(r"[一-龯]|色とりどり|ふわふわ|もこもこ|つやつや|きらきら|ごわごわ ")


def _counted(c: Candidate) -> bool:
    """`三粒の涙のような|星`: only the vehicle says how many; not of what one has so many of anyway."""
    said = _NUMBER.match(c.sentence.text, c.left)
    return said is not None and said.end() <= c.noun.span[0] and not is_one_of(c.near, "body_parts")


_NUMBER = re.compile(
    r"(?:[二三四五六七八九数]|[二三四五六七八九]?十[一二三四五六七八九]?|[2-9２-９]|\d\d)[^のなを、。\d]{1,2}の"
)


def _says_itself(c: Candidate) -> bool:
    """Whether the text says what it looks like between the comparison and the noun: `雪のような|白い肌`."""
    assert c.near is not None
    between = [m for m in c.following if m.end <= c.near.span[0]]
    strewn = c.sentence.text.startswith("だらけ", c.near.span[1])
    return strewn or any(is_quality(m) or (m.predicate and m.attributive) for m in between)


def _bare(c: Candidate) -> bool:
    """Whether a noun would stand with nothing said of it: `頬の少女`, `歩き方で`, and `一年だった` alone."""
    assert c.near is not None
    sentence, text, near = c.sentence, c.sentence.text, c.near
    rest = text[near.span[1] : sentence.end].strip(" 　")
    if not text[sentence.start : c.left].strip() and _NOTHING.fullmatch(rest):
        if rest:  # `歌声ね`
            return rest[-1] in "ねよな" or not feels_nothing(near)
        only = not text[: sentence.start].strip() and not text[sentence.end :].strip("。！!？? 　\n")
        return only or text[sentence.end : sentence.end + 1] == "。"
    attribute = is_one_of(near, "attributes")
    if text.startswith("の", near.span[1]):
        part = is_one_of(near, "carriers", "faces", "eyes", "body_parts") or ends_in(near, "body_parts")
        part = part and not is_one_of(near, "folk")  # `人の列`
        return (attribute or part) and not is_one_of(c.likened, "facets", "insides")
    if attribute and (text.startswith(("で", "に", "だ"), near.span[1])):
        return True
    part = is_one_of(near, "body_parts", "faces", "carriers", "attributes") or ends_in(near, "body_parts", "faces")
    return part and _HAD.match(text, near.span[1]) is not None


_NOTHING = re.compile(r"(?:だった|でした|だ|です|である|であった)?(?:よ|ね|な)?")
_HAD = re.compile(r"を(?:し(?:た|て)|持[つちっ])")


def _cut_off(c: Candidate) -> bool:
    """Whether something before it would be left without its other half: `犬と|猿のように`, `速さは|矢のごとく、`."""
    n = c.sentence.starting(c.left)
    before, earlier = c.sentence.at(n - 1), c.sentence.at(n - 2)
    if before is None:
        return False
    if before.particle("と", "や") and earlier is not None and earlier.nominal:
        return True
    joined = (
        (before.nominal or before.kind == "感動詞")
        and before.end == c.left
        and not before.sort.endswith(("副詞可能", "助数詞可能"))
    )
    parallel = c.marker.after > c.marker.end and c.topic is not None and before.particle("は")
    return joined or (parallel and any(m.particle("は") for m in c.following) and not c.clause)


def _scene_kept(c: Candidate) -> int:
    """Where what goes begins: behind a place that the scene itself has, `壁に|血が滲んだような錆`, behind `やがて`."""
    clause, sentence = c.clause, c.sentence
    when = _WHEN.match(sentence.text, c.left)
    if when is not None and when.end() < c.noun.span[0]:
        return when.end()
    if clause is None or clause.start != c.left or c.saying or c.emphatic:
        return c.left
    cases = ("に", "で") if c.marker.place == "noun" else ("で",)
    last = sentence.starting(c.noun.span[0])
    link = next((n for n in range(clause.first, last) if sentence.morphemes[n].kind == "助詞"), None)
    while link is not None and sentence.morphemes[link].particle("の"):
        link = next((n for n in range(link + 1, last) if sentence.morphemes[n].kind == "助詞"), None)
    if link is None or not sentence.morphemes[link].particle(*cases):
        return c.left
    found = noun_before(sentence, sentence.morphemes[link].start)
    if found is None or not is_one_of(found[0], "scenes"):
        return c.left
    if phrase_start(sentence, found[1], subject=False) < clause.first:
        return c.left
    aside = c.marker.place == "adverb" and (c.marker.after > c.marker.end or c.left == sentence.start)
    elsewhere = any(_placed(c, n) for n in range(clause.first))
    elsewhere = elsewhere or any(m.particle("に", "で") for m in c.following)
    return c.left if aside or elsewhere else sentence.morphemes[link].end


def _clause_of(c: Candidate) -> int | Literal["unsure"] | None:
    """Where a clause ends that says where the tenor is: `砂漠を走る|リボンのような一本道`; None: it has no such clause.

    Unsure where the vehicle might be there as well: `海に浮かぶ船のような島`.
    """
    sentence, n = c.sentence, c.noun.first - 1
    if c.marker.place != "noun" or c.clause is not None or c.emphatic:
        return None
    while n > 0 and sentence.morphemes[n].kind in ("形容詞", "連体詞"):  # `走る赤い|リボン`
        n -= 1
    last = sentence.at(n)
    if last is None or not last.attributive or last.end <= c.left:
        return None
    clause = clause_before(sentence, last.end, subject=False)
    if clause is None:
        return None
    places = (noun for case, noun in clause.arguments if case in ("を", "に", "で"))
    if not any(ends_in(noun, "scenes") or noun.words == "間" for noun in places):
        return None
    if c.near is None or is_one_of(c.near, "carriers", "attributes", "eyes", "faces", *_FELT) or _part(c.near):
        return None
    verb = clause.verb.normal
    if verb not in words("ja", "lying") | words("ja", "going"):  # `窓辺に眠る|人形のような少女`
        return "unsure"
    if ends_in(c.noun, "natural", "plants", "buildings", "scenes", "ways"):
        return "unsure"
    goes = being(c.noun) and not ends_in(c.noun, "foods")
    goes = goes or ends_in(c.noun, "animals", "machines", "creatures", "characters", "beasts")
    return "unsure" if goes and verb not in words("ja", "lying") else last.end


def _part(noun: Noun) -> bool:
    return ends_in(noun, "body_parts", "sounds", "sensations")


_FELT = ("expressions", "motions", "touches", "comforts", "unseen")
_WHEN = re.compile(
    r"(?:やがて|そして|今や|今では|今も|いまも|ついに|とうとう|次第に|しだいに|突然|不意に|ふいに|再び|いつも"
    r"|時々|ときどき)、?"
)


def _placed(c: Candidate, n: int) -> bool:
    return n > 0 and c.sentence.morphemes[n].particle("に", "で") and c.sentence.morphemes[n - 1].nominal
