"""Why a comparison is a real resemblance: two of a kind, kin, a part or a job, a taste, an animal that hides."""

from __future__ import annotations

from trope.strategies.guard.japanese.candidates import Candidate
from trope.strategies.guard.japanese.kinds import being, ends_in, is_one_of
from trope.strategies.guard.japanese.morphemes import Morpheme
from trope.strategies.guard.lexicon import words


def _before(c: Candidate) -> list[Morpheme]:
    return c.sentence.morphemes[: c.sentence.starting(c.left)]


def two_of_a_kind(c: Candidate) -> str | None:
    """柴犬に似た犬, 梅のような白い花, あの山のように高い山."""
    if c.clause is not None:
        return None
    noun = c.noun
    if noun.first == noun.last and any(m.surface == noun.head.surface and m.kind == "名詞" for m in _before(c)):
        return "named before"
    for other in (c.near, c.likened, c.topic):
        if other is None or other.span == noun.span:
            continue
        same = other.words == noun.words or (len(other.words) > 1 and noun.words.endswith(other.words))
        same = same or (other is c.topic and c.marker.place == "predicate" and noun.words.endswith(other.words))
        if same or (other is not c.topic and len(noun.words) > 1 and other.words == noun.head.surface[-1:]):
            return "two of a kind"
    if c.marker.place != "noun":
        again = len(noun.words) > 1 and noun.words in c.sentence.text[c.marker.after : c.marker.after + 8]
        return "two of a kind" if again else None
    if is_one_of(c.likened, "breeds") and c.near is not None and c.near.span != (c.likened or c.near).span:
        return "two of a kind"  # `マンタのようなエイの仲間`
    for kind, heads in _KIN:
        living = kind in ("animals", "plants") and is_one_of(c.likened, heads)
        if ends_in(noun, kind) and (living or is_one_of(c.near, heads) or ends_in(c.near, heads)):
            return "two of a kind"
    return None


_KIN = (
    ("animals", "animal_kinds"),
    ("plants", "plant_kinds"),
    ("buildings", "building_kinds"),
    ("texts", "text_kinds"),
    ("stuffs", "stuff_kinds"),
    ("foods", "food_kinds"),
)


def kin(c: Candidate) -> str | None:
    """母親そっくりの女の子, 祖父に似た老人, 狼に似た犬種: a likeness that is real."""
    if is_one_of(c.noun, "kin") or ends_in(c.noun, "kin"):
        return "takes after a relative"
    if c.marker.sort not in ("alike", "evokes"):
        return None
    if being(c.noun) and (being(c.likened) or being(c.topic)):
        return "persons that look alike"
    plants = ends_in(c.noun, "plants") and is_one_of(c.topic, "plant_kinds")
    animals = ends_in(c.noun, "animals") and (is_one_of(c.topic, "animal_kinds") or ends_in(c.topic, "breeds"))
    return "two of a kind" if c.marker.sort == "alike" and (plants or animals) else None


def occupied(c: Candidate) -> str | None:
    """医師のような人々, 通訳のような仕事, 歌手のように歌がうまい: what a person is or does."""
    person = being(c.near) or (c.marker.sort != "like" and being(c.likened))
    somebody = is_one_of(c.noun, "roles", "beings") and person and not c.emphatic
    office = being(c.noun) or c.noun.head.sort.endswith("サ変可能")
    able = c.marker.place == "adverb" and any(m.normal in words("ja", "skills") for m in c.following[:6])
    if (
        (c.marker.sort in ("like", "trace", "wonder") and somebody)
        or (is_one_of(c.near, "offices") and office)
        or (able and is_one_of(c.noun, "roles") and being(c.topic))
    ):
        return "what a person is or does"
    return None


def taught(c: Candidate) -> str | None:
    """猫を犬のようにしつける: what is done with one animal as with another."""
    done = c.marker.place == "adverb" and c.clause is None and ends_in(c.noun, "animals")
    return "treated as one" if done and any(m.normal in words("ja", "teaches") for m in c.following[:4]) else None


def hidden(c: Candidate) -> str | None:
    """枯れ葉そっくりの翅: an animal that passes for a leaf."""
    passes = c.marker.sort == "alike" and ends_in(c.noun, "mimicked_things")
    return (
        "an animal that passes for it" if passes and any(w in c.sentence.text for w in words("ja", "mimicry")) else None
    )


def renowned(c: Candidate) -> str | None:
    """金閣のように有名な寺."""
    known = c.marker.place == "adverb" and c.following and c.following[0].normal in ("有名", "著名", "名高い")
    return "as real as it is" if known else None


def tastes(c: Candidate) -> str | None:
    """桜餅のような香りのお茶: of one food another tastes or smells."""
    edible = ends_in(c.noun, "foods") and (
        ends_in(c.likened, "foods") or any(w in c.rest for w in words("ja", "tasted"))
    )
    return "how it really tastes or smells" if is_one_of(c.near, "tastes") and edible else None
