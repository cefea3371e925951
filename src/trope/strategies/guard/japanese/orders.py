"""Why a comparison is an order and no figure: a shape, a style, a dress, a part, a product that is wanted so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from trope.strategies.guard.japanese.candidates import Candidate
from trope.strategies.guard.japanese.kinds import being, ends_in, feels_nothing, is_one_of
from trope.strategies.guard.japanese.morphemes import Morpheme
from trope.strategies.guard.japanese.phrases import Noun, next_noun, owner
from trope.strategies.guard.lexicon import words


def shaped(c: Candidate) -> str | None:
    """恐竜のような形の滑り台, 海賊のような格好の園児, 市松模様みたいな床, 貝殻を模したような洗面台."""
    if c.clause is None and ends_in(c.noun, "drawn_looks"):
        return "a pattern or a posture that is asked for"
    if c.clause is not None and c.clause.verb.normal in words("ja", "imitates"):
        return "made after it"
    if c.marker.place != "noun" or c.near is None:
        return None
    turned = c.following[c.near.last - c.near.first + 1 :][:4]
    changed = len(turned) > 1 and turned[0].surface == "に" and turned[1].kind in ("動詞", "名詞")
    passive = any(m.base in ("れる", "られる") for m in turned)
    if is_one_of(c.near, "guises") and changed and (passive or turned[1].normal in words("ja", "changes")):
        return "made or changed into its shape"
    if being(c.noun) and is_one_of(c.near, "garments") and not c.emphatic:
        return "a dress"
    posture = not being(c.noun) and any(m.normal in words("ja", "postures") for m in turned[1:3])
    if posture and c.near.words in ("格好", "恰好"):
        return None  # `雑巾みたいな格好で寝ている`
    outward = c.sentence.text.startswith("見た目", c.marker.after)
    if not outward and not is_one_of(c.near, "looks") and (c.told or not is_one_of(c.likened, "looks")):
        return None
    natural = feels_nothing(c.topic) and not ends_in(c.topic, "ornaments")
    if c.told and natural and c.near is not None and c.near.words in ("形", "模様"):
        return None  # `岬は牛のような形をしている`
    return "a shape or a dress that is asked for"


def styled(c: Candidate) -> str | None:
    """油絵のような筆致, 浮世絵みたいな画風, 写真のように: how it is to be painted."""
    of = owner(c.sentence, c.noun)
    painted = c.clause is not None and c.clause.verb.normal in words("ja", "depicts")
    if (
        painted
        and not c.told
        and any(is_one_of(n, "styles", "media") or ends_in(n, "media") for n in (c.near, c.likened))
    ):
        return "the style or the medium of the picture"
    if c.clause is None and ((not c.told and ends_in(c.noun, "media")) or is_one_of(of, "media")):
        return "the style or the medium of the picture"
    compound = c.near is not None and c.near.words.endswith(tuple(w for w in words("ja", "styles") if len(w) > 1))
    drawn = ends_in(c.noun, "media") and is_one_of(c.likened, "styles")
    if c.marker.place == "noun" and c.clause is None and (is_one_of(c.near, "styles") or compound or drawn):
        return "the style or the medium of the picture"
    return None


def designed(c: Candidate) -> str | None:
    """雪だるまみたいなケーキ in a list of things to draw: a product in this form, unless of a stuff, which has none."""
    if c.marker.place != "noun" or c.clause is not None or (c.told and not _WANTED.search(c.rest)):
        return None
    if is_one_of(c.noun, "standards", "stuffs") and not ends_in(c.near, "ornaments"):
        return None
    felt = c.near is not None and c.near.words.endswith(tuple(words("ja", "carrying")))
    if ends_in(c.near, "products") or (ends_in(c.likened, "products") and not felt):
        return "a product that is to have this look"
    if is_one_of(c.likened, "creatures") or ends_in(c.likened, "creatures"):
        return "a creature that is to have this look"
    return None


_WANTED = re.compile(r"(?:たい|欲しい|ほしい|ください|下さい)[。！!]?$|(?:に|を)(?:し|作り|仕上げ)たい")


def chimera(c: Candidate) -> str | None:
    """頭は竜のようで、尾は牛の霊獣: how the parts of a creature are to look."""
    parts = c.topic is not None and is_one_of(c.topic, "body_parts")
    creature = not c.told and parts and any(word in c.rest for word in words("ja", "creatures"))
    return "a creature that is to have this look" if creature else None


def grown(c: Candidate) -> str | None:
    """鹿のような角を持つ少女, 猫のような犬のような生き物, ぬいぐるみのような犬: of what a creature is put together."""
    if c.marker.place != "noun" or c.clause is not None or c.emphatic:
        return None
    beast = ends_in(c.noun, "animals", "creatures") or is_one_of(c.noun, "characters", "beasts")
    if beast and is_one_of(c.near, "animal_parts") and not (c.told and feels_nothing(c.topic)):
        return "a creature that is to have this part"
    beside = _BESIDE.match(c.sentence.text, c.marker.after) or _BEFORE.search(
        c.sentence.quote(c.sentence.start, c.left)
    )
    creature = any(word in c.rest for word in words("ja", "creatures"))
    toy = not c.told and is_one_of(c.noun, "toys") and ends_in(c.likened, "animals")
    return "a creature that is to have this look" if toy or (beast and creature and beside) else None


_BESIDE = re.compile(r"、?[^、。の]{1,8}の(?:よう|みたい|ごと)[なき]")
_BEFORE = re.compile(r"(?:の(?:よう|ごと)|みたい)[なき]、?$")


def made(c: Candidate) -> str | None:
    """兎のように刈り込まれた庭木, 枯れ葉そっくりに擬態した蛾: made, dressed, played as it."""
    if c.clause is not None:
        return None
    following = c.following
    begin = c.near.span[1] if c.marker.place == "noun" and c.near is not None else 0
    dresses = any(m.normal in words("ja", "dresses") for m in following[:9])
    bearer = c.topic or _bearer(c)
    thing = (feels_nothing(bearer) or ends_in(bearer, "plants")) and not being(bearer)
    if c.marker.place == "adverb" and dresses and thing:
        return None  # `花嫁のように着飾った桜`
    wears = any(m.normal in words("ja", "wears") for m in following[:9]) and not _covered(c)
    somebody = being(c.noun) or ends_in(c.noun, "garments") or is_one_of(c.noun, "characters")
    if c.marker.place == "adverb" and wears and somebody:
        return "dressed as it"
    if _formed(c):
        return "made as it"
    if c.marker.place == "adverb" and being(c.noun) and any(m.normal == "扱う" for m in following[:2]):
        return "treated as it"
    n = next((n for n, m in enumerate(following) if m.kind in ("動詞", "形容詞") and m.start >= begin), None)
    if n is None:
        return None
    verb = following[n]
    after = following[n + 1 : n + 4]
    mimics = next((m for m in after if m.kind == "名詞"), None)
    if mimics is not None and mimics.normal in words("ja", "mimics") and not _in_compound(after, mimics):
        return "played or practiced"
    if c.marker.place == "noun":
        thing = c.topic is not None and not being(c.topic)
        return "made as it" if not thing and c.near is not None and _object_of_making(c) else None
    names = {verb.base, verb.normal, *(m.normal for m in following[max(0, n - 1) : n] if m.kind == "名詞")}
    if names.isdisjoint(words("ja", "makes")) and not (verb.normal in words("ja", "changes") and "姿" in c.rest[:6]):
        return None
    object_first = any(m.particle("を") for m in following[:n])
    passive = any(m.base in ("れる", "られる") for m in after[:2])
    if any(m.normal in words("ja", "formations") for m in following[:n]):
        return None  # `蟻のように列を作る`
    if object_first and not passive and c.topic is not None and not being(c.topic):
        return None  # `光がバーコードみたいに路面を刻む`
    return "made, dressed or played as it"


def _bearer(c: Candidate) -> Noun | None:
    """The noun that is described, where a verb stands before it: `花嫁のように着飾った|桜`."""
    for verb, noun in pairwise(c.following):
        if verb.kind in ("動詞", "助動詞") and verb.surface != "な" and verb.attributive and noun.nominal:
            return next_noun(c.sentence, noun.start)
    return None


def _covered(c: Candidate) -> bool:
    """`帽子のように雪をかぶった`: what no one can put on."""
    n = next((n for n, m in enumerate(c.following) if m.particle("を")), 0)
    return n > 0 and c.following[n - 1].normal in words("ja", "covers")


def _formed(c: Candidate) -> bool:
    """`薔薇のように巻いたサーモン`: what hands have given a form; where the sentence tells only of products."""
    n = next((n for n, m in enumerate(c.following) if m.kind == "動詞"), None)
    if n is None or c.marker.place != "adverb":
        return False
    verb = c.following[n - 1] if n and c.following[n].normal == "為る" else c.following[n]  # `塗装した`
    if verb.normal not in words("ja", "forms"):
        return False
    n += 1
    while n + 1 < len(c.following) and c.following[n].base in ("せる", "させる", "て", "ある"):
        n += 1
    if n + 1 >= len(c.following):
        return False
    done = c.following[n]
    thing = next_noun(c.sentence, done.end)
    if done.base not in ("た", "だ") or thing is None or being(thing):
        return False
    grown = ends_in(thing, "natural", "animals", "body_parts")
    return not grown and (not c.told or ends_in(thing, "foods", "products"))


def toy(c: Candidate) -> str | None:
    """猫のように鳴くおもちゃ: it does what the animal does."""
    following = [m for m in c.following if m.kind != "助動詞"][:2]
    if c.marker.place != "adverb" or len(following) < 2 or not ends_in(c.noun, "animals"):
        return None
    does = following[0].kind == "動詞" and following[1].surface in words("ja", "toys")
    return "a toy that does what the animal does" if does else None


def _in_compound(after: Sequence[Morpheme], m: Morpheme) -> bool:
    n = after.index(m)
    return n + 1 < len(after) and after[n + 1].nominal


def _object_of_making(c: Candidate) -> bool:
    """`城のような模型を作る`."""
    assert c.near is not None
    n = c.near.last + 1
    link = c.sentence.at(n)
    if c.near.words in ("曲線", "弧", "線", "軌跡", "円"):  # `白鳥の首のような曲線を描く`
        return False
    made_of = c.sentence.morphemes[n + 1 : n + 5]
    return link is not None and link.particle("を") and any(m.normal in words("ja", "crafts") for m in made_of)


def worn(c: Candidate) -> str | None:
    """猫のような耳をつけた帽子, うさぎのように耳のついたフード: of an animal, and put on."""
    if c.marker.place == "adverb" and not c.told and ends_in(c.noun, "animals"):
        part = bool(c.following) and c.following[0].surface in words("ja", "put_on")
        put = any(m.normal in words("ja", "puts") for m in c.following[1:4])
        return "put on" if part and put and any(m.nominal for m in c.following[3:]) else None
    if c.marker.place != "noun" or not is_one_of(c.near, "put_on") or (c.told and not ends_in(c.noun, "animals")):
        return None
    return "put on" if any(m.normal in words("ja", "puts") for m in c.following[1:9]) else None


def played(c: Candidate) -> str | None:
    """医者のように白衣を着た少年: in a list of things to draw, a person in a part."""
    if c.told or c.marker.place != "adverb" or c.clause is not None:
        return None
    somebody = c.topic or _bearer(c)
    if somebody is not None and not being(somebody):
        return None
    role = ends_in(c.noun, "roles") or _ROLE.search(c.noun.words) is not None
    return "a part that is played" if role and not c.described and owner(c.sentence, c.noun) is None else None


_ROLE = re.compile(r"..[員師官兵家士]$")


def asked(c: Candidate) -> str | None:
    """猫のように動かしてください: how it is to be done."""
    if c.marker.place != "adverb" or not _PLEASE.search(c.rest):
        return None
    if being(c.noun):
        return "how it is to be done"
    kinds = [m for m in c.following if m.kind != "助詞"]
    described = any(a.attributive and b.nominal for a, b in pairwise(kinds))
    described = described or any(a.surface == "に" and b.normal == "為る" for a, b in pairwise(c.following))
    described = described or (bool(kinds) and kinds[0].kind in ("形状詞", "形容詞", "副詞"))
    return None if described or "、" in c.rest else "how it is to be done"


_PLEASE = re.compile(r"(?:ください|下さい|してね|お願いします|ほしい|欲しい)[。！!]?$")


def looked(c: Candidate) -> str | None:
    """鏡のように見える板, 兎に見えるように: how a product is to look."""
    if c.marker.place != "adverb" or c.clause is not None:
        return None
    if not c.following or c.following[0].normal not in ("見える", "見せる"):
        return None
    noun = _after_verb(c)
    if c.topic is None and noun is not None and not being(noun):
        return "a thing that is to have this look"
    return (
        "a thing that is to have this look"
        if c.told and (is_one_of(noun, "things", "board", "looks") or ends_in(noun, "products"))
        else None
    )


def _after_verb(c: Candidate) -> Noun | None:
    return next_noun(c.sentence, c.following[0].end)
